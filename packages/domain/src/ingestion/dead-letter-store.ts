import type { DeadLetter } from './dead-letter.ts';

export interface DeadLetterStore {
  count(): Promise<number>;
  /** By id, those after this one. */
  list(page: { readonly after: number; readonly limit: number }): Promise<readonly DeadLetter[]>;
  /** Those of these ids that there are, by id. */
  find(ids: readonly number[]): Promise<readonly DeadLetter[]>;
  /** Resolves to how many of them there were. */
  drop(ids: readonly number[]): Promise<number>;
  dropAll(): Promise<number>;
}
