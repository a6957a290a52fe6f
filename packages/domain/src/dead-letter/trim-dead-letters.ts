import type { DeadLetterStore, Trimmed } from './dead-letter-store.ts';

interface Dependencies {
  readonly deadLetters: Pick<DeadLetterStore, 'trim'>;
  readonly retentionDays: number;
  /** The maximum number of dead letters per project or other owner. */
  readonly deadLettersPerProject: number;
}

export const DEAD_LETTERS_PER_PROJECT = 10_000;
const BYTES_OF_OWNER = 128 * 1024 ** 2;
const OF_ALL = { count: 100_000, bytes: 1024 ** 3 };

/** Deletes dead letters that are older than the log retention, and the oldest beyond the bounds. */
export function trimDeadLetters({
  deadLetters,
  retentionDays,
  deadLettersPerProject,
}: Dependencies): Promise<Trimmed> {
  const ofOwner = { count: deadLettersPerProject, bytes: BYTES_OF_OWNER };
  return deadLetters.trim({ retentionDays, ofOwner, ofAll: OF_ALL });
}
