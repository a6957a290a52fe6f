import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const run = promisify(execFile);

/** User that runs PostgreSQL when this process is root. PostgreSQL refuses to run as root. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Chooses the owner of the existing cluster, else `postgres`, else `nobody`. Returns undefined if this process is not root:
 * PostgreSQL then runs as the current user.
 */
export async function databaseUser(cluster: string): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = await readFile('/etc/passwd', 'utf8');
  const user = namedUser(users, 'postgres') ?? namedUser(users, 'nobody');
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as. Set DATABASE_URL.',
  );
}

function namedUser(passwd: string, name: string): SystemUser | undefined {
  const fields = passwd.split('\n').map((line) => line.split(':'));
  const entry = fields.find(([login]) => login === name);
  return entry === undefined ? undefined : { uid: Number(entry[2]), gid: Number(entry[3]) };
}

export async function canEnter(user: SystemUser | undefined, directory: string): Promise<boolean> {
  return canRun(user, '/bin/sh', '-c', 'cd -- "$0"', directory);
}

export async function canRun(
  user: SystemUser | undefined,
  command: string,
  ...args: readonly string[]
): Promise<boolean> {
  return run(command, args, { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );
}
