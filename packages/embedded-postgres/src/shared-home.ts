import { chmod, lstat, mkdir } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const SHARED_HOME = '/var/lib/plugin-config-service';
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Creates or checks the folder in which root keeps the files that the database's user must reach. Rejects a folder that
 * another user could have written to.
 */
export async function sharedHome(): Promise<string> {
  const created = await mkdir(SHARED_HOME, { recursive: true });
  if (created !== undefined) await chmod(SHARED_HOME, 0o755);
  const found = await lstat(SHARED_HOME);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & WRITABLE_BY_OTHERS) !== 0) {
    throw new EmbeddedPostgresError(
      `${SHARED_HOME} must be a folder of root that nobody else may write to. Change its owner and mode, or set DATABASE_URL.`,
    );
  }
  return SHARED_HOME;
}
