import type { Lineage } from '../kernel/lineage.ts';
import type { AppendOutcomes } from '../log/log-entry-store.ts';
import type { EntryKey, LogEntry } from '../log/log-entry.ts';

/** How long the arrivals of a log are kept, so that a stream can resume. */
export const ARRIVALS_KEPT_MS = 15 * 60_000;
/** How long a log counts as followed after its last follower. Longer than arrivals are kept. */
export const FOLLOWED_MS = 20 * 60_000;
/**
 * How long a stream waits for an entry that has arrived and cannot be read yet: as long as a cluster of ClickHouse by default
 * reads from a replica that lags.
 */
export const FRESH_MS = 5 * 60_000;
/** How often a follower renews its logs. */
export const RENEW_MS = 60_000;

/** A log, by its record. */
export interface LogRef {
  readonly projectId: number;
  readonly id: number;
}

/**
 * A position in the arrivals of a log: after the arrival with this number. The epoch changes when the log is followed
 * again after it was forgotten; in a lineage, an epoch belongs to one log and never comes back.
 */
export interface LogPosition {
  readonly lineage: Lineage;
  readonly epoch: number;
  readonly number: number;
}

/** An entry that arrived in a log. In each epoch, the numbers have no gaps and rise in the order of the commits. */
export interface LogArrival extends EntryKey {
  readonly number: number;
  /** Whether its entry must be stored: it arrived within `FRESH_MS`, and its day is not dropped. */
  readonly isExpected: boolean;
}

/** The arrivals of entries in the logs that somebody follows. Other logs have none, so they cost nothing. */
export interface LogArrivals {
  /**
   * Follows logs, or goes on following them. Resolves to the positions of their last arrivals, in the order of the logs,
   * when every entry that is stored from now on will be an arrival after them, and every other one can be read. Every log
   * is followed for `FOLLOWED_MS`, and longer if it is followed again in time. Null for what is no log of its project.
   * @throws DomainError `busy` if batches that began before do not end in time
   */
  follow(logs: readonly LogRef[]): Promise<readonly (LogPosition | null)[]>;
  /**
   * The oldest arrivals after a position, at most `ARRIVALS_MAX` of them; null if some of them are no longer kept, or if
   * the log has no such position under its project: one of another lineage, for instance.
   */
  after(log: LogRef, position: LogPosition): Promise<readonly LogArrival[] | null>;
}

export const ARRIVALS_MAX = 1000;

/** Adds the entries of one batch to the arrivals. */
export interface LogArrivalWriter {
  /**
   * Makes the stored entries arrivals of their logs, if these are followed, and announces them. Called when the log has
   * stored them; `outcomes` are those of `append`. Safe to repeat: an entry that a repeated batch reports as a duplicate is no
   * second arrival, and is none at all only if it was one before or was stored before its log was followed.
   */
  add(entries: readonly LogEntry[], outcomes: AppendOutcomes): Promise<void>;
}

/** Deletes what no stream can need any more, in portions. Yields the number of deleted rows of each. */
export interface LogArrivalUpkeep {
  /** Deletes arrivals that are older. */
  dropOld(ageMs: number): AsyncIterable<number>;
  /** Forgets logs that nobody has followed for longer. */
  forget(ageMs: number): AsyncIterable<number>;
}
