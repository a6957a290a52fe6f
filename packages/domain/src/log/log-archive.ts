import type { StopSignal } from '@plugin-config/flow';
import type { EntryKey, LogEntry, LogRef } from './log-entry.ts';
import type { LogFilter } from './log-entry-store.ts';

/** A day that the archive has: the entries that its runs up to this one have copied. */
export interface ArchivedDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly run: number;
}

/** Equal for two sets of entries if the sets are. */
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
 * The entries of days that ended long ago, in a database that takes part in no transaction of the other stores. It knows neither
 * records nor which days are complete: its callers say which days they read, and up to which run.
 * Every method throws `DomainError` `unavailable` while the archive is out of reach.
 */
export interface LogArchive {
  /** Stores entries of one day under the number of a run. Resolves once they would survive a crash. Idempotent. */
  append(entries: readonly LogEntry[], run: number): Promise<void>;
  /** Summarises what a run has stored of a day. */
  summary(day: number, run: number): Promise<EntriesSummary>;
  /** Returns the names (`archivedName`) of those of the entries that it has. */
  known(entries: readonly ArchivedKey[], days: readonly ArchivedDay[]): Promise<ReadonlySet<string>>;
  /**
   * Counts the entries that match, by day, newest first. Days without any are absent.
   * @throws DomainError as `LogEntryStore.page`
   */
  countByDay(
    record: LogRef,
    filter: LogFilter,
    days: readonly ArchivedDay[],
    signal?: StopSignal,
  ): Promise<readonly DayCount[]>;
  /** Counts the entries that a listing has before this key. @throws DomainError as `LogEntryStore.page` */
  countBefore(
    record: LogRef,
    filter: LogFilter,
    key: EntryKey,
    days: readonly ArchivedDay[],
    signal?: StopSignal,
  ): Promise<number>;
  /** The keys of the entries that match, in the order of a page. @throws DomainError as `LogEntryStore.page` */
  keys(
    record: LogRef,
    filter: LogFilter,
    range: KeysOfDays,
    signal?: StopSignal,
  ): Promise<readonly EntryKey[]>;
  /** As `LogEntryStore.findKey`. */
  findKey(
    record: LogRef,
    id: string,
    days: readonly ArchivedDay[],
    signal?: StopSignal,
  ): Promise<EntryKey | null>;
  /** As `LogEntryStore.find`, of any run. */
  find(record: LogRef, keys: readonly EntryKey[], maxBytes: number): Promise<readonly LogEntry[]>;
  /** Drops the days before this one. Idempotent. */
  dropBefore(day: Date): Promise<void>;
}

export type ArchivedKey = EntryKey & { readonly recordId: number };

/** Names an entry among those of all logs. */
export function archivedName({ recordId, timestamp, id }: ArchivedKey): string {
  return `${recordId} ${timestamp.getTime()} ${id}`;
}
