import type { DeadLetterStore, Trimmed } from './dead-letter-store.ts';

interface Dependencies {
  readonly letters: Pick<DeadLetterStore, 'trim'>;
  readonly retentionDays: number;
}

const LETTERS_MAX = 100_000;
/**
 * The maximum within each batch, which holds between two trims. It is above that of the trims, so that a trim still deletes
 * some of too many, and reports it.
 */
export const LETTERS_HARD_MAX = 110_000;
const BYTES_MAX = 1024 ** 3;

/** Deletes dead letters older than the retention of the logs, and the oldest above the maximum. */
export function trimDeadLetters({ letters, retentionDays }: Dependencies): Promise<Trimmed> {
  return letters.trim({ retentionDays, letters: LETTERS_MAX, bytes: BYTES_MAX });
}
