import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const SQLITE_BUSY = 5;

/**
 * Locks the file until `release` or until this process ends. Unlike a pid file, the lock never outlives a killed process,
 * since the kernel releases it. Node has no `flock`, so this uses SQLite's file lock.
 */
export function lockFile(file: string, busyMessage: string): { release(): void } {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    chmodSync(file, 0o600);
    lock.exec('pragma journal_mode = off; begin exclusive');
  } catch (cause) {
    lock?.close();
    const message = isBusy(cause) ? busyMessage : `${file} cannot be locked: ${reasonOf(cause)}.`;
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
