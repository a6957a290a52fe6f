import type { SealedSecrets } from './configuration.ts';

/** The ids of the keys that the secrets of one record, or of one plugin's seed, are sealed with, in order. */
export type KeySet = readonly string[];

export interface SealedCount {
  readonly records: number;
  readonly plugins: number;
}

export type Reseal = (secrets: SealedSecrets) => SealedSecrets;

/** What is sealed in the configurations of records, and in what plugins seed new records with. */
export interface SecretStore {
  /** Each set of keys that is in use. Costs the same however many secrets there are. */
  keySets(): Promise<readonly KeySet[]>;
  /** How many records and plugins have secrets that are sealed with exactly these keys. */
  count(keys: KeySet): Promise<SealedCount>;
  /**
   * Reseals the next records, after the given id, whose secrets are sealed with exactly these keys: a portion that is
   * bounded in records and bytes, and holds one family at a time. What somebody changes meanwhile stays as it is. No
   * version changes, nor does any answer. Null where no record is left.
   */
  resealNext(keys: KeySet, after: number, reseal: Reseal): Promise<ResealedPortion | null>;
  /** Reseals the seeds that are sealed with exactly these keys. Resolves to their number. */
  resealSeeds(keys: KeySet, reseal: Reseal): Promise<number>;
}

export interface ResealedPortion {
  /** The id of the last record that was looked at. */
  readonly last: number;
  readonly resealed: number;
}
