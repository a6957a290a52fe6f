import type { DeadLetterStore, Trimmed } from './dead-letter-store.ts';

interface Dependencies {
  readonly letters: Pick<DeadLetterStore, 'trim'>;
  readonly retentionDays: number;
}

const LETTERS_MAX = 100_000;
const BYTES_MAX = 1024 ** 3;

/** The chore: dead letters are kept as long as logs are, and no more of them than anybody could ever look at. */
export function keepDeadLetters({ letters, retentionDays }: Dependencies): Promise<Trimmed> {
  return letters.trim({ retentionDays, letters: LETTERS_MAX, bytes: BYTES_MAX });
}
