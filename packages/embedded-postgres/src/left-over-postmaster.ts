import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { readPostmasterFile } from './postmaster-file.ts';

const GRACE_MS = 5_000;
const POLL_MS = 20;

/** Stops the PostgreSQL processes of this cluster that outlived a killed postmaster, or the process that started it. */
export async function stopLeftOverPostmaster(cluster: string): Promise<void> {
  const { pid } = await readPostmasterFile(cluster);
  if (!(pid > 0)) return;
  const directory = await workingDirectory(pid);
  if (directory === cluster) return endPostmaster(pid, cluster);
  await endOrphans(cluster);
  // Another process has the pid by now, and PostgreSQL would take it for a postmaster.
  if (directory !== undefined) await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** Asks for a fast shutdown first, then for an immediate one, and kills the postmaster at last. */
async function endPostmaster(pid: number, cluster: string): Promise<void> {
  const isAlive = async (): Promise<boolean> => (await workingDirectory(pid)) === cluster;
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    send(signal, pid);
    if (await endsSoon(isAlive)) return;
  }
  throw new EmbeddedPostgresError(
    `The PostgreSQL that still runs on ${cluster} (process ${pid}) does not stop. Kill it, then start again.`,
  );
}

/** Stops backends whose postmaster is gone. They end by themselves, but only after their current query. */
async function endOrphans(cluster: string): Promise<void> {
  const orphans = await postgresProcessesIn(cluster);
  orphans.forEach((pid) => send('SIGQUIT', pid));
  await endsSoon(async () => (await postgresProcessesIn(cluster)).length > 0);
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function endsSoon(isAlive: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < GRACE_MS; waited += POLL_MS) {
    if (!(await isAlive())) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/**
 * Reads the working directory of a process. A postmaster works in its cluster; a later process with the same pid does not.
 * Returns undefined if the process has ended or belongs to another user.
 */
async function workingDirectory(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  const lsof = promisify(execFile)('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']);
  return lsof.then(({ stdout }) => /^n(.*)$/m.exec(stdout)?.[1]).catch(() => undefined);
}

/** Lists the PostgreSQL processes that work in the directory. Needs `/proc`; returns an empty list on other systems. */
async function postgresProcessesIn(directory: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 0);
  const isOne = async (pid: number): Promise<boolean> =>
    (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === directory &&
    (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')) === 'postgres\n';
  const found = await Promise.all(pids.map(isOne));
  return pids.filter((_, index) => found[index]);
}
