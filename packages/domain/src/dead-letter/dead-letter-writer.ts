import type { DeadReason } from '../message/dead-reason.ts';
import type { NewDeadLetter } from './dead-letter.ts';

/** The dead letters of one batch. */
export interface DeadLetterWriter {
  /** Locks these dead letters until the batch ends. Resolves to the ids of those that exist. */
  lock(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /**
   * Adds the dead letters that do not exist yet, compared by identity. Deletes the oldest ones in the same step, so that at
   * most this many are left, and those of this batch. Letters that exist already displace nothing.
   */
  add(letters: readonly NewDeadLetter[], most: number): Promise<void>;
  /** Changes the reasons of dead letters whose retry failed again. */
  changeReasons(reasons: ReadonlyMap<number, DeadReason>): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
}
