import type { DeadLetterStore, Trimmed } from './dead-letter-store.ts';

interface Dependencies {
  readonly letters: Pick<DeadLetterStore, 'trim'>;
  readonly retentionDays: number;
  /** The most dead letters of a project, or of another owner. */
  readonly deadLettersPerProject: number;
}

export const DEAD_LETTERS_PER_PROJECT = 10_000;
const BYTES_OF_OWNER = 128 * 1024 ** 2;
const OF_ALL = { letters: 100_000, bytes: 1024 ** 3 };

/** Deletes dead letters older than the retention of the logs, and the oldest above the bounds. */
export function trimDeadLetters({
  letters,
  retentionDays,
  deadLettersPerProject,
}: Dependencies): Promise<Trimmed> {
  const ofOwner = { letters: deadLettersPerProject, bytes: BYTES_OF_OWNER };
  return letters.trim({ retentionDays, ofOwner, ofAll: OF_ALL });
}
