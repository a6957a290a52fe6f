import type { Lineage } from '../kernel/lineage.ts';
import type { AppendOutcomes } from '../log/log-entry-store.ts';
import type { EntryKey, LogEntry, LogRef } from '../log/log-entry.ts';

/** How long the arrivals of a log are kept, so that a stream can resume. */
export const ARRIVALS_KEPT_MS = 15 * 60_000;
/** How long a log counts as followed after its last follower. Longer than arrivals are kept. */
export const FOLLOWED_MS = 20 * 60_000;
/** How often a follower renews its logs. */
export const RENEW_MS = 60_000;

/**
 * A position in the arrivals of a log: after the arrival with this number.
 *
 * A log that nobody follows is forgotten. If it is followed again, its numbers begin again, in another epoch. Within a
 * lineage, no epoch is used twice.
 */
export interface LogPosition {
  readonly lineage: Lineage;
  readonly epoch: number;
  readonly number: number;
}

/** An entry that arrived in a followed log. The numbers of an epoch are 1, 2, 3 …, in the order of the commits. */
export interface LogArrival extends EntryKey {
  readonly number: number;
}

/** The arrivals of the followed logs. Other logs have none, so they cost nothing. */
export interface LogArrivals {
  /**
   * Follows logs for `FOLLOWED_MS`; call it again in time to go on. Resolves to the position of each log's last arrival, in
   * the order of the logs; null for what is no log of its project.
   *
   * It resolves once no entry can be missed: each entry is stored already, and can be read, or will be an arrival after the
   * position.
   * @throws DomainError `busy` if batches that began before do not end in time
   */
  follow(logs: readonly LogRef[]): Promise<readonly (LogPosition | null)[]>;
  /**
   * The oldest arrivals after a position: `ARRIVALS_MAX`, or fewer if there are no more. Null if one of them is no longer kept, if the position is of
   * another epoch or lineage, or if the log is another project's.
   */
  after(log: LogRef, position: LogPosition): Promise<readonly LogArrival[] | null>;
}

export const ARRIVALS_MAX = 1000;

/** Adds the entries of one batch to the arrivals. */
export interface LogArrivalWriter {
  /**
   * Adds the stored entries of followed logs to their arrivals. Called after `append`, with its outcomes, in the same transaction: the
   * one that stored a duplicate has added its arrival, too.
   */
  add(entries: readonly LogEntry[], outcomes: AppendOutcomes): Promise<void>;
}
