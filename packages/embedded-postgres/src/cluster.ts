import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  lstat,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataDir } from './data-dir.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { sharedHome } from './shared-home.ts';
import { canEnter, type SystemUser } from './system-user.ts';

export const SUPERUSER = 'plugin_config';

export interface NewCluster {
  readonly initdb: string;
  readonly user: SystemUser | undefined;
  readonly password: string;
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the cluster of the folder if it does not exist. Returns its real path. */
export async function openCluster(created: NewCluster, folder: DataDir): Promise<string> {
  const { user } = created;
  const path = join(folder.path, 'postgres');
  if ((await lstat(path).catch(() => undefined)) === undefined) await createCluster(created, folder, path);
  const cluster = await realpath(path).catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      `${path} points to a database that does not exist. Restore it, or remove the link to begin with an empty one.`,
      { cause },
    );
  });
  if (await canEnter(user, cluster)) return cluster;
  throw new EmbeddedPostgresError(
    `The user of the database (uid ${user?.uid}) may not enter ${cluster}. Give that user access to the folders above it.`,
  );
}

/**
 * Creates the cluster in the folder. If the database's user may not enter it, creates the cluster in a folder of the shared
 * home, and a link to it.
 */
async function createCluster(created: NewCluster, folder: DataDir, path: string): Promise<void> {
  if (await isOpenTo(created.user, folder)) return initCluster(created, path);
  const home = await mkdtemp(join(await sharedHome(), 'data-'));
  try {
    await chmod(home, 0o711);
    await writeFile(join(home, 'data-dir'), `${folder.path}\n`);
    await initCluster(created, join(home, 'postgres'));
    await symlink(join(home, 'postgres'), path);
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

/** Creates the cluster in a draft folder, and renames it when it is complete. Removes drafts that were interrupted. */
async function initCluster({ initdb, user, password, durable, signal }: NewCluster, cluster: string) {
  const home = dirname(cluster);
  const drafts = (await readdir(home)).filter((name) => name.startsWith('postgres.new-'));
  await Promise.all(drafts.map((name) => removeTree(join(home, name))));
  const draft = await mkdtemp(`${cluster}.new-`);
  try {
    const passwordFile = join(draft, 'password');
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user !== undefined)
      await Promise.all([draft, passwordFile].map((path) => chown(path, user.uid, user.gid)));
    await runInitdb({ initdb, user, signal }, [
      `--pgdata=${join(draft, 'cluster')}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
    await rename(join(draft, 'cluster'), cluster);
  } finally {
    await removeTree(draft);
  }
}

/** Retries, because the children of a killed `initdb` may still write for a moment. */
const removeTree = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });

/** Settles only after `initdb` and its children have closed their output, so that none of them still writes. */
async function runInitdb(
  { initdb, user, signal }: Pick<NewCluster, 'initdb' | 'user' | 'signal'>,
  args: readonly string[],
): Promise<void> {
  signal?.throwIfAborted();
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const child = spawn(initdb, args, { ...user, env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (text) => (output += text));
  const interrupt = (): void => void child.kill('SIGTERM');
  signal?.addEventListener('abort', interrupt);
  await once(child, 'close').finally(() => signal?.removeEventListener('abort', interrupt));
  signal?.throwIfAborted();
  if (child.exitCode === 0) return;
  const errors = output.split('\n').filter((line) => /error|fatal|could not/i.test(line));
  throw new EmbeddedPostgresError(
    `The database could not be created: ${errors.join('; ') || output.trim()}. Set DATABASE_URL to use one of yours.`,
  );
}
