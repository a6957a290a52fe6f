import type { DeadLetter } from './dead-letter.ts';

export interface DeadLetterBounds {
  /** Dead letters added more than this many days ago, by the clock of the store, are too old. */
  readonly retentionDays: number;
  /** The bounds of each owner. */
  readonly ofOwner: DeadLetterBound;
  /** The bounds of all owners together. */
  readonly ofAll: DeadLetterBound;
}

export interface DeadLetterBound {
  readonly letters: number;
  /** The total size of the texts in UTF-8. */
  readonly bytes: number;
}

export interface Trimmed {
  readonly tooOld: number;
  readonly tooMany: number;
}

export interface DeadLetterStore {
  count(): Promise<number>;
  /** The next dead letters after this id, sorted by id. */
  list(page: { readonly after: number; readonly limit: number }): Promise<readonly DeadLetter[]>;
  /** The existing dead letters with these ids, sorted by id. */
  find(ids: readonly number[]): Promise<readonly DeadLetter[]>;
  /** Resolves to the number of deleted dead letters. */
  drop(ids: readonly number[]): Promise<number>;
  dropAll(): Promise<number>;
  /**
   * Deletes the oldest dead letters of each owner until the others are within the bounds. Beyond those of all owners, the
   * ones with the most lose theirs, so an owner with less than its share keeps all. Resolves to their number by reason.
   */
  trim(bounds: DeadLetterBounds): Promise<Trimmed>;
}
