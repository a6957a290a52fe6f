import type { DeadLetter } from './dead-letter.ts';

export interface DeadLetterBounds {
  /** Those that were added on an earlier day are too old, by the store's own clock. */
  readonly retentionDays: number;
  readonly letters: number;
  /** Of all their texts, in UTF-8. */
  readonly bytes: number;
}

export interface Trimmed {
  readonly tooOld: number;
  readonly tooMany: number;
}

export interface DeadLetterStore {
  count(): Promise<number>;
  /** By id, those after this one. */
  list(page: { readonly after: number; readonly limit: number }): Promise<readonly DeadLetter[]>;
  /** Those of these ids that there are, by id. */
  find(ids: readonly number[]): Promise<readonly DeadLetter[]>;
  /** Resolves to how many of them there were. */
  drop(ids: readonly number[]): Promise<number>;
  dropAll(): Promise<number>;
  /** Drops the oldest, until the rest is within these bounds. Resolves to how many, and why. */
  trim(bounds: DeadLetterBounds): Promise<Trimmed>;
}
