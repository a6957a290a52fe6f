import type { Clock } from '../clock.ts';
import { logSpan } from '../log-entry/log-days.ts';
import type { DeadLetterStore, Trimmed } from './dead-letter-store.ts';

interface Dependencies {
  readonly letters: Pick<DeadLetterStore, 'trim'>;
  readonly clock: Clock;
  readonly retentionDays: number;
}

const LETTERS_MAX = 100_000;
const BYTES_MAX = 1024 ** 3;

/** The chore: dead letters are kept as long as logs are, and no more of them than anybody could ever look at. */
export function keepDeadLetters({ letters, clock, retentionDays }: Dependencies): Promise<Trimmed> {
  const since = new Date(logSpan(clock.now(), retentionDays).earliest);
  return letters.trim({ since, letters: LETTERS_MAX, bytes: BYTES_MAX });
}
