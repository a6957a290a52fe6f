import type { Page, PageRequest } from '../kernel/page.ts';
import type { StopSignal } from '@plugin-config/flow';
import type { EntryKey, LogEntry, LogRef } from './log-entry.ts';
import type { LogFilter } from './log-entry-store.ts';

/** The announcement that makes an entry an arrival of its log. */
export type AnnouncementId = string;

/** In place of an announcement: the entry comes from another log, so nothing has to be announced. */
export const UNANNOUNCED: AnnouncementId = '0';

/** How a batch announces what it stores. */
export interface Announcing {
  /** Committed with the batch. An entry whose announcement is not committed may have to be announced by its repetition. */
  readonly announcement: AnnouncementId;
  /** Returns true for a record whose log somebody follows. */
  isFollowed(recordId: number): boolean;
}

interface ReadOptions {
  /** Reads entries from this time on, in milliseconds since 1970. */
  readonly earliest: number;
  /** Stops reading when it is aborted. */
  readonly signal?: StopSignal | undefined;
}

/**
 * The entries of all logs in a database of its own, which takes part in no transaction of the other stores. Knows neither
 * records nor retention: its caller does.
 */
export interface SeparateLog {
  /**
   * Stores the entries that are not stored yet; their identities are distinct. Resolves when they would survive a
   * crash: for each to null if it was not stored before, else to the announcement it was stored with. If it fails, some
   * of them may be stored. Safe to repeat. An entry that several callers store at once is stored once, but may be new
   * to each of them. For an entry of a log that nobody follows, it may resolve to null each time.
   * @throws DomainError `invalid_input` if a text cannot be stored; `unavailable` if it cannot write now
   */
  append(entries: readonly LogEntry[], announcing: Announcing): Promise<readonly (AnnouncementId | null)[]>;

  /** As `LogEntryStore.page`. */
  page(record: LogRef, filter: LogFilter, page: PageRequest, options: ReadOptions): Promise<Page<LogEntry>>;

  /** As `LogEntryStore.newestKeys`. */
  newestKeys(
    record: LogRef,
    filter: LogFilter,
    limit: number,
    options: ReadOptions,
  ): Promise<readonly EntryKey[]>;

  /** As `LogEntryStore.countBefore`. */
  countBefore(record: LogRef, filter: LogFilter, key: EntryKey, options: ReadOptions): Promise<number>;

  /** As `LogEntryStore.findKey`. */
  findKey(record: LogRef, id: string, options: ReadOptions): Promise<EntryKey | null>;

  /** As `LogEntryStore.find`. */
  find(record: LogRef, keys: readonly EntryKey[], maxBytes: number): Promise<readonly LogEntry[]>;

  /** Drops the days before this one, which nobody reads or writes any more. */
  dropBefore(day: Date): Promise<void>;
}
