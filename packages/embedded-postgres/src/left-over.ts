import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const GRACE_MS = 5_000;
const POLL_MS = 20;

/**
 * Ends the PostgreSQL processes of this cluster that outlived their parent, and removes `postmaster.pid`. PostgreSQL would not
 * start if an unrelated process had been given that pid since, as happens in containers.
 */
export async function endLeftOver(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const postmaster = Number.parseInt(text, 10);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const left = await processesIn(cluster);
    // Only the postmaster treats SIGINT as a request to shut down; its children would only cancel their query.
    const pids = signal === 'SIGINT' ? left.filter((pid) => pid === postmaster) : left;
    pids.forEach((pid) => send(signal, pid));
    for (let waited = 0; waited < GRACE_MS && pids.length > 0; waited += POLL_MS) {
      if ((await processesIn(cluster)).length === 0) break;
      await sleep(POLL_MS);
    }
  }
  if ((await processesIn(cluster)).length > 0)
    throw new EmbeddedPostgresError(
      `A PostgreSQL server is still running on ${cluster} and does not stop. Kill it, then start again.`,
    );
  await rm(file, { force: true });
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}

/** Lists the PostgreSQL processes of this cluster: it is the working directory of its postmaster and of its children. */
async function processesIn(directory: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') {
    const lsof = promisify(execFile)('lsof', ['-t', '-a', '-c', 'postgres', '-d', 'cwd', directory]);
    return lsof.then(({ stdout }) => stdout.trim().split('\n').map(Number)).catch(() => []);
  }
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const isOne = async (pid: number): Promise<boolean> =>
    (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === directory &&
    (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')) === 'postgres\n';
  const found = await Promise.all(pids.map(isOne));
  return pids.filter((_, index) => found[index]);
}
