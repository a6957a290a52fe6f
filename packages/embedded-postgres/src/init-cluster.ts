import { chown, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runInitdb } from './run-initdb.ts';
import type { SystemUser } from './system-user.ts';

export const SUPERUSER = 'plugin_config';

export interface InitCluster {
  readonly initdb: string;
  readonly user: SystemUser | undefined;
  readonly password: string;
  readonly durable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the cluster in a draft folder and renames it when it is complete. */
export async function initCluster(options: InitCluster, cluster: string): Promise<void> {
  await removeDrafts(cluster);
  const draft = await mkdtemp(draftPrefix(cluster));
  try {
    const passwordFile = join(draft, 'password');
    await writeFile(passwordFile, options.password, { mode: 0o600 });
    if (options.user !== undefined) await giveTo(options.user, [draft, passwordFile]);
    await runInitdb(options, initdbArguments(options, passwordFile, join(draft, 'cluster')));
    await rename(join(draft, 'cluster'), cluster);
  } finally {
    await removeTree(draft);
  }
}

function initdbArguments({ durable }: InitCluster, passwordFile: string, target: string): readonly string[] {
  return [
    `--pgdata=${target}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}

const draftPrefix = (cluster: string): string => `${cluster}.new-`;

/** Retries, because the children of a killed `initdb` may still write for a moment. */
const removeTree = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });

async function removeDrafts(cluster: string): Promise<void> {
  const home = dirname(cluster);
  const drafts = (await readdir(home)).filter((name) => name.startsWith(draftPrefix(basename(cluster))));
  await Promise.all(drafts.map((name) => removeTree(join(home, name))));
}

async function giveTo(user: SystemUser, paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => chown(path, user.uid, user.gid)));
}
