import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const SQLITE_BUSY = 5;

/**
 * Holds a lock on the file until `release`, or until this process ends in whatever way: the kernel lets go of it,
 * so that no number of a dead process can stand in the way. Node has no `flock`; SQLite brings one.
 */
export function holdLock(file: string, refusal: string): { release(): void } {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    chmodSync(file, 0o600);
    lock.exec('pragma journal_mode = off; begin exclusive');
  } catch (cause) {
    lock?.close();
    const message = isBusy(cause) ? refusal : `${file} cannot be locked: ${reasonOf(cause)}.`;
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
