import { realpath, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { openDataDir } from './data-dir.ts';

/** Removes the data directory, and the folder of a cluster that lies outside it. The database must not be running. */
export async function removeEmbeddedPostgres(path: string): Promise<void> {
  const dataDir = await openDataDir(resolve(path));
  const cluster = await realpath(dataDir.cluster).catch(() => dataDir.cluster);
  const home = dirname(cluster);
  await rm(home, { recursive: true, force: true });
  await rm(dataDir.path, { recursive: true, force: true });
}
