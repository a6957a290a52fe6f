import type { StopSignal } from '@plugin-config/flow';
import type { EntryKey, LogEntry, LogRef } from './log-entry.ts';
import type { LogFilter } from './log-entry-store.ts';

/** An archived day: all entries copied by runs up to this one. */
export interface ArchivedDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly run: number;
}

/** Equal for equal sets of entries. */
export interface EntriesSummary {
  readonly count: number;
  readonly digest: string;
}

export interface DayCount {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly count: number;
}

interface KeysOfDays {
  readonly days: readonly ArchivedDay[];
  readonly skip: number;
  readonly limit: number;
}

/**
 * Entries of past days, in a database that takes no part in the transactions of the other stores. It does not know
 * about records, or which days are complete: callers pass the days to read, with their runs. Every method throws
 * `DomainError` `unavailable` while the archive is unreachable.
 */
export interface LogArchive {
  /** Stores entries of one day under the number of a run. Resolves once they are durable. Idempotent. */
  append(entries: readonly LogEntry[], run: number): Promise<void>;
  /** Summarises the entries of a day stored by this run. */
  summary(day: number, run: number): Promise<EntriesSummary>;
  /** Returns the names (`archivedName`) of those entries that are in the archive. */
  known(entries: readonly ArchivedKey[], days: readonly ArchivedDay[]): Promise<ReadonlySet<string>>;
  /**
   * Counts matching entries by day, newest first. Days without entries are absent.
   * @throws DomainError as `LogEntryStore.page`
   */
  countByDay(
    record: LogRef,
    filter: LogFilter,
    days: readonly ArchivedDay[],
    signal?: StopSignal,
  ): Promise<readonly DayCount[]>;
  /**
   * Counts the entries before this key in a listing.
   * @throws DomainError as `LogEntryStore.page`
   */
  countBefore(
    record: LogRef,
    filter: LogFilter,
    key: EntryKey,
    days: readonly ArchivedDay[],
    signal?: StopSignal,
  ): Promise<number>;
  /**
   * Returns the keys of matching entries, in page order.
   * @throws DomainError as `LogEntryStore.page`
   */
  keys(
    record: LogRef,
    filter: LogFilter,
    range: KeysOfDays,
    signal?: StopSignal,
  ): Promise<readonly EntryKey[]>;
  /** Like `LogEntryStore.findKey`. */
  findKey(
    record: LogRef,
    id: string,
    days: readonly ArchivedDay[],
    signal?: StopSignal,
  ): Promise<EntryKey | null>;
  /** Like `LogEntryStore.find`, for entries of any run. */
  find(record: LogRef, keys: readonly EntryKey[], maxBytes: number): Promise<readonly LogEntry[]>;
  /** Deletes all entries of the project, whatever their run. Resolves once they are gone. Idempotent. */
  eraseProject(projectId: number): Promise<void>;
  /** Drops all days before this one. Idempotent. */
  dropBefore(day: Date): Promise<void>;
}

export type ArchivedKey = EntryKey & { readonly recordId: number };

/** Returns a name for the entry that is unique across all logs. */
export function archivedName({ recordId, timestamp, id }: ArchivedKey): string {
  return `${recordId} ${timestamp.getTime()} ${id}`;
}
