import type { DeadReason } from '../message/dead-reason.ts';
import type { NewDeadLetter } from './dead-letter.ts';

/** The dead letters of one batch. */
export interface DeadLetterWriter {
  /** Locks these dead letters until the batch ends. Resolves to the ids of those that exist. */
  lock(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /**
   * Adds the dead letters that do not exist yet, compared by identity. An owner that has more than `mostOfOwner` then loses
   * as many of its oldest ones in the same step. Letters that exist already displace nothing.
   */
  add(letters: readonly NewDeadLetter[], mostOfOwner: number): Promise<void>;
  /** Changes the reasons of dead letters whose retry failed again. */
  changeReasons(reasons: ReadonlyMap<number, DeadReason>): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
}
