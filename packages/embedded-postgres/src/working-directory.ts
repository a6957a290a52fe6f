import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Tells a postmaster, which works in its cluster, from the process that was given its number since.
 * Undefined for one that has ended or is another user's.
 */
export async function workingDirectory(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  const lsof = promisify(execFile)('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']);
  return lsof.then(({ stdout }) => /^n(.*)$/m.exec(stdout)?.[1]).catch(() => undefined);
}

/** Those that Linux can tell of; elsewhere none. */
export async function postgresProcessesIn(directory: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0);
  const found = await Promise.all(pids.map(async (pid) => (await isPostgresIn(directory, pid)) && pid));
  return found.filter((pid) => pid !== false);
}

async function isPostgresIn(directory: string, pid: number): Promise<boolean> {
  if ((await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) !== directory) return false;
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() === 'postgres';
}
