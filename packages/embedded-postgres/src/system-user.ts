import { readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** The user that runs PostgreSQL when this process is root, since PostgreSQL does not run as root. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the owner of an existing cluster, otherwise `postgres` or `nobody`. Returns undefined if this process is not root:
 * PostgreSQL then runs as the current user.
 */
export async function databaseUser(cluster: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = await readFile('/etc/passwd', 'utf8');
  const user = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? /^nobody:[^:]*:(\d+):(\d+):/m.exec(users);
  if (user !== null) return { uid: Number(user[1]), gid: Number(user[2]) };
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as. Set DATABASE_URL to use your own.',
  );
}

/**
 * Returns the data directory as an argument for a program that starts in it. Another user may not have access to the parent
 * folders, such as `/root`, but every process can access its working directory, which Linux calls `/proc/self/cwd`.
 */
export const dataArgument = (user: SystemUser | undefined, directory: string): string =>
  user !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : directory;
