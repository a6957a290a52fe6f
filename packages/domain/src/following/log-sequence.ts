import type { TimelineId } from '../kernel/timeline.ts';
import type { AppendOutcomes } from '../log/log-entry-store.ts';
import type { EntryKey, LogEntry, LogRef } from '../log/log-entry.ts';

/** How long the sequence of a log are kept, so that a stream can resume. */
export const SEQUENCE_KEPT_MS = 15 * 60_000;
/** How long a log counts as followed after its last follower. Longer than sequence numbers are kept. */
export const FOLLOWED_MS = 20 * 60_000;
/** How often a follower renews its logs. */
export const RENEW_MS = 60_000;

/**
 * A position in the sequence of a log: after the arrival with this number.
 *
 * A log that nobody follows is forgotten. If it is followed again, its numbers begin again, in another epoch. Within a
 * timeline, no epoch is used twice.
 */
export interface LogPosition {
  readonly timelineId: TimelineId;
  readonly epoch: number;
  readonly number: number;
}

/** An entry that arrived in a followed log. The numbers of an epoch are 1, 2, 3 …, in the order of the commits. */
export interface SequencedEntry extends EntryKey {
  readonly number: number;
}

/** The sequence numbers of the followed logs. Other logs have none, so they cost nothing. */
export interface LogSequence {
  /**
   * Follows logs for `FOLLOWED_MS`; call it again in time to go on. Resolves to the position of each log's last arrival, in
   * the order of the logs; null for what is no log of its project.
   *
   * It resolves once no entry can be missed: each entry is stored already, and can be read, or will be an entry of the sequence after the
   * position.
   * @throws DomainError `busy` if batches that began before do not end in time
   */
  follow(logs: readonly LogRef[]): Promise<readonly (LogPosition | null)[]>;
  /**
   * The oldest sequence numbers after a position: `SEQUENCE_READ_MAX`, or fewer if there are no more. Null if one of them is no longer kept, if the position is of
   * another epoch or timeline, or if the log is another project's.
   */
  after(log: LogRef, position: LogPosition): Promise<readonly SequencedEntry[] | null>;
}

export const SEQUENCE_READ_MAX = 1000;

/** Adds the entries of one batch to the sequence numbers. */
export interface LogSequenceWriter {
  /**
   * Adds the stored entries of followed logs to their sequence numbers. Called after `append`, with its outcomes, in the same transaction: the
   * one that stored a duplicate has added its arrival, too.
   */
  add(entries: readonly LogEntry[], outcomes: AppendOutcomes): Promise<void>;
}
