import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Reads the working directory of a process. A postmaster works in its cluster; a later process with
 * the same pid does not. Returns undefined if the process has ended or belongs to another user.
 */
export async function workingDirectory(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  const lsof = promisify(execFile)('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']);
  return lsof.then(({ stdout }) => /^n(.*)$/m.exec(stdout)?.[1]).catch(() => undefined);
}

/** Lists the PostgreSQL processes that work in the directory. Needs `/proc`; returns an empty list on other systems. */
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
