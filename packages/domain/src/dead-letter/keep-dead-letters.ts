import type { DeadLetterStore, Trimmed } from './dead-letter-store.ts';

interface Dependencies {
  readonly letters: Pick<DeadLetterStore, 'trim'>;
  readonly retentionDays: number;
}

const LETTERS_MAX = 100_000;
/** Each batch keeps to this number, whatever arrives between two trims. Above the trims', so that those tell of it. */
export const LETTERS_HARD_MAX = 110_000;
const BYTES_MAX = 1024 ** 3;

/** Deletes dead letters older than the retention of the logs, and the oldest above the maximum. */
export function keepDeadLetters({ letters, retentionDays }: Dependencies): Promise<Trimmed> {
  return letters.trim({ retentionDays, letters: LETTERS_MAX, bytes: BYTES_MAX });
}
