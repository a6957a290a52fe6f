import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { readPrivateFile } from './private-file.ts';
import { postgresProcessesIn, workingDirectory } from './working-directory.ts';

const GRACE_MS = 5_000;
const POLL_MS = 20;

/** Stops the PostgreSQL processes of this cluster that outlived a killed postmaster, or the process that started it. */
export async function stopLeftOverPostmaster(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = Number.parseInt((await readPrivateFile(pidFile)) ?? '', 10);
  if (!(pid > 0)) return;
  const directory = await workingDirectory(pid);
  if (directory === cluster) return endPostmaster(pid, cluster);
  await endOrphans(cluster);
  if (directory !== undefined) await rm(pidFile, { force: true });
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
