import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const SQLITE_BUSY = 5;

/**
 * Locks the file until `release` or until this process ends. The kernel releases the lock even if the process is killed,
 * so a dead process never blocks the next start, as a pid file could. Node has no `flock`, so SQLite's file lock is used.
 */
export function lockFile(file: string, rejection: string): { release(): void } {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    chmodSync(file, 0o600);
    lock.exec('pragma journal_mode = off; begin exclusive');
  } catch (cause) {
    lock?.close();
    const message = isBusy(cause) ? rejection : `${file} cannot be locked: ${reasonOf(cause)}.`;
    throw new EmbeddedPostgresError(message, { cause });
  }
  return {
    release: () => {
      if (lock.isOpen) lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
