import type { SealedSecrets } from './configuration.ts';

/** The sorted ids of the keys that sealed the secrets of one record, or of the seed of one plugin. */
export type KeySet = readonly string[];

export interface SealedCount {
  readonly records: number;
  readonly plugins: number;
}

export type Reseal = (secrets: SealedSecrets) => SealedSecrets;

/** The sealed secrets of records, and of the seeds that plugins give to new records. */
export interface SecretStore {
  /** The distinct sets of keys in use. The cost does not depend on the number of secrets. */
  keySets(): Promise<readonly KeySet[]>;
  /** The number of records and plugins whose secrets are sealed with exactly these keys. */
  count(keys: KeySet): Promise<SealedCount>;
  /**
   * Reseals the next records after this id whose secrets are sealed with exactly these keys: a portion bounded in
   * records and bytes, which locks one family at a time. A record that changes meanwhile is skipped. Changes no version
   * and no answer. Null if no record is left.
   */
  resealNext(keys: KeySet, after: number, reseal: Reseal): Promise<ResealedPortion | null>;
  /** Reseals the seeds that are sealed with exactly these keys. Resolves to their number. */
  resealSeeds(keys: KeySet, reseal: Reseal): Promise<number>;
  /**
   * Resolves when all writes that have begun have ended. Until its commit, nobody sees the secrets that such a write
   * stores, and they may be sealed with an older key.
   * @throws DomainError `busy` if they do not end in time
   */
  untilWritesEnd(): Promise<void>;
}

export interface ResealedPortion {
  /** The id of the last record of the portion, resealed or not. */
  readonly last: number;
  readonly resealed: number;
}
