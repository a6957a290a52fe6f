import { access, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** The folder of an instance's files. */
export interface DataDir {
  readonly path: string;
  /** True if this start created the folder; only then may we change its mode. */
  readonly isNew: boolean;
}

export async function openDataDir(wanted: string): Promise<DataDir> {
  const path = resolve(wanted);
  try {
    const isNew = await makeFolder(path, 0o700);
    await access(path, constants.W_OK | constants.X_OK);
    return { path: await realpath(path), isNew };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedPostgresError(
      `${path} cannot be used (${reason}): make it a folder that you may write to, or set another DATA_DIR.`,
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
    // Another process may have made it.
    if (await isFolder(path)) return false;
    throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
