import { access, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** Paths of the files that an instance keeps. */
export interface DataDir {
  readonly path: string;
  /** True if this start created the folder; only then may we change its mode. */
  readonly isNew: boolean;
  readonly lock: string;
  readonly cluster: string;
  readonly password: string;
  readonly databaseUrl: string;
  readonly log: string;
}

export async function openDataDir(path: string): Promise<DataDir> {
  const { real, isNew } = await openFolder(resolve(path));
  return {
    path: real,
    isNew,
    lock: join(real, 'lock'),
    cluster: join(real, 'postgres'),
    password: join(real, 'database-password'),
    databaseUrl: join(real, 'database-url'),
    log: join(real, 'postgres.log'),
  };
}

async function openFolder(wanted: string): Promise<{ readonly real: string; readonly isNew: boolean }> {
  try {
    const isNew = await makeFolder(wanted, 0o700);
    await access(wanted, constants.W_OK | constants.X_OK);
    return { real: await realpath(wanted), isNew };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedPostgresError(
      `${wanted} cannot be used (${reason}): make it a folder that you may write to, or set another DATA_DIR.`,
      { cause },
    );
  }
}

/**
 * Makes the folder, and those above it if they are missing. Resolves to whether this call made it. The `recursive` of
 * `mkdir` does not end where the system refuses a folder with ENOENT although its parent exists, as in `/proc`.
 */
async function makeFolder(path: string, mode?: number): Promise<boolean> {
  if (await isFolder(path)) return false;
  await makeFolder(dirname(path));
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    // Another process made it meanwhile.
    if (await isFolder(path)) return false;
    throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
