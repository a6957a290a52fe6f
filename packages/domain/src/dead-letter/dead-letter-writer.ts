import type { DeadReason } from '../message/dead-reason.ts';
import type { NewDeadLetter } from './dead-letter.ts';

/** The dead letters of one batch. */
export interface DeadLetterWriter {
  /** Locks these dead letters until the batch ends. Resolves to the ids of those that exist. */
  lock(ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Adds the dead letters that do not exist yet, compared by identity. */
  add(letters: readonly NewDeadLetter[]): Promise<void>;
  /** Changes the reasons of dead letters whose retry failed again. */
  changeReasons(reasons: ReadonlyMap<number, DeadReason>): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
}
