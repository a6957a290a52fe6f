import type { AppendOutcomes, EntryKey, LogEntry, LogRef } from '../log/log-entry.ts';

/** How long sequence numbers are kept for streams to resume. */
export const SEQUENCE_KEPT_MS = 15 * 60_000;
/** How long a log counts as followed after its last follower. Longer than sequence numbers are kept. */
export const FOLLOWED_MS = 20 * 60_000;
/** How often a follower renews its logs. */
export const RENEW_MS = 60_000;

/**
 * A position in the sequence of a log, after the entry with this number.
 *
 * A log without followers is forgotten. When it is followed again, its numbers start over in another epoch. Epochs
 * are unique.
 */
export interface LogPosition {
  readonly epoch: number;
  readonly number: number;
}

/** An entry of a followed log. The numbers of an epoch are 1, 2, 3 …, in commit order. */
export interface SequencedEntry extends EntryKey {
  readonly number: number;
}

/** The sequence numbers of followed logs. Other logs have none, so they cost nothing. */
export interface LogSequence {
  /**
   * Follows logs for `FOLLOWED_MS`; call it again to renew. Resolves to the position of each log's last entry, in
   * order, or null for a log that is not in its project.
   *
   * Resolves once no entry can be missed: each entry is either already readable, or will get a number after the
   * position.
   * @throws DomainError `busy` if earlier batches do not end in time
   */
  follow(logs: readonly LogRef[]): Promise<readonly (LogPosition | null)[]>;
  /**
   * Returns the next sequence numbers after a position, at most `SEQUENCE_READ_MAX`. Null if one of them is no longer
   * kept, if the position is from another epoch, or if the log is not in its project.
   */
  after(log: LogRef, position: LogPosition): Promise<readonly SequencedEntry[] | null>;
}

export const SEQUENCE_READ_MAX = 1000;

export interface LogSequenceWriter {
  /**
   * Adds the stored entries of followed logs to their sequences. Called after `append`, with its outcomes, in the
   * same transaction. Duplicates were added by the transaction that stored them.
   */
  add(entries: readonly LogEntry[], outcomes: AppendOutcomes): Promise<void>;
}
