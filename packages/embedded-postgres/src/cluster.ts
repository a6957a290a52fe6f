import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { dataArgument, type SystemUser } from './system-user.ts';

export const SUPERUSER = 'plugin_config';

export interface NewCluster {
  readonly initdb: string;
  readonly user: SystemUser | undefined;
  readonly password: string;
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the real path of the cluster in the data directory. Creates the cluster if there is none. */
export async function openCluster(created: NewCluster, dataDir: string): Promise<string> {
  const cluster = join(dataDir, 'postgres');
  if ((await lstat(cluster).catch(() => undefined)) === undefined) await createCluster(created, cluster);
  return realpath(cluster);
}

/** Creates the cluster in a draft folder, then renames it, so an interrupted creation leaves nothing behind. */
async function createCluster(created: NewCluster, cluster: string): Promise<void> {
  const draft = `${cluster}.new`;
  await removeTree(draft);
  try {
    const [data, password] = [join(draft, 'cluster'), join(draft, 'password')];
    await mkdir(data, { recursive: true, mode: 0o700 });
    await writeFile(password, created.password, { mode: 0o600 });
    const { user } = created;
    if (user !== undefined)
      await Promise.all([draft, data, password].map((path) => chown(path, user.uid, user.gid)));
    await runInitdb(created, data);
    await rename(data, cluster);
  } finally {
    await removeTree(draft);
  }
}

/** Retries because the children of a killed `initdb` may still write for a moment. */
const removeTree = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });

/** Settles only after `initdb` and its children have closed their output and can no longer write. */
async function runInitdb({ initdb, user, durable, signal }: NewCluster, data: string): Promise<void> {
  signal?.throwIfAborted();
  const args = [
    `--pgdata=${dataArgument(user, data)}`,
    `--username=${SUPERUSER}`,
    '--pwfile=../password',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const child = spawn(initdb, args, { ...user, env, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (text) => (output += text));
  const interrupt = (): void => void child.kill('SIGTERM');
  signal?.addEventListener('abort', interrupt);
  await once(child, 'close').finally(() => signal?.removeEventListener('abort', interrupt));
  signal?.throwIfAborted();
  if (child.exitCode === 0) return;
  throw new EmbeddedPostgresError(
    `The database could not be created: ${output.trim()}. Set DATABASE_URL to use your own.`,
  );
}
