import { chmod, chown, lstat, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataDir } from './data-dir.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { initCluster, type InitCluster } from './init-cluster.ts';
import { sharedHome } from './shared-home.ts';
import { canEnter, type SystemUser } from './system-user.ts';

/** Creates the cluster of the data directory if it does not exist. Returns the real path of the cluster. */
export async function openCluster(init: InitCluster, dataDir: DataDir): Promise<string> {
  if ((await lstat(dataDir.cluster).catch(() => undefined)) === undefined) await makeCluster(init, dataDir);
  const cluster = await realpath(dataDir.cluster).catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      `${dataDir.cluster} points to a database that does not exist. Restore it, or remove the link to begin with an empty one.`,
      { cause },
    );
  });
  if (await canEnter(init.user, cluster)) return cluster;
  throw new EmbeddedPostgresError(
    `The user of the database (uid ${init.user?.uid}) may not enter ${cluster}. Give that user access to the folders above it.`,
  );
}

/**
 * Creates the cluster in the data directory. If the database's user may not enter that directory, creates the cluster in a
 * folder of the shared home, and a link to it in the data directory.
 */
async function makeCluster(init: InitCluster, dataDir: DataDir): Promise<void> {
  if (await isOpenTo(init.user, dataDir)) return initCluster(init, dataDir.cluster);
  const home = await mkdtemp(join(await sharedHome(), 'data-'));
  try {
    await chmod(home, 0o711);
    await writeFile(join(home, 'data-dir'), `${dataDir.path}\n`);
    await initCluster(init, join(home, 'postgres'));
    await symlink(join(home, 'postgres'), dataDir.cluster);
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

async function isOpenTo(user: SystemUser | undefined, { path, isNew }: DataDir): Promise<boolean> {
  if (user !== undefined && isNew && (await canEnter(user, dirname(path)))) {
    await chown(path, 0, user.gid);
    await chmod(path, 0o710);
  }
  return canEnter(user, path);
}
