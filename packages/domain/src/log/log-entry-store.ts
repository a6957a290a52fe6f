import type { Page, PageRequest } from '../kernel/page.ts';
import type { StopSignal } from '@plugin-config/flow';
import type { EntryKey, LogEntry, LogRef } from './log-entry.ts';

export interface LogFilter {
  /** Empty includes every type. */
  readonly types: readonly string[];
  readonly source: string | null;
  readonly instanceId: string | null;
  /** Both bounds are exclusive. */
  readonly after: Date | null;
  readonly before: Date | null;
  /** A case-insensitive part of the message, without wildcards. */
  readonly search: string | null;
}

/** The maximum number of keys read at once. */
export const KEYS_MAX = 20_000;

export interface LogEntryStore {
  /**
   * Returns one page of the log of a record, newest first, equal times by descending id; `count` is exact. The byte
   * limit of a page counts the messages. The store may stop reading once the signal is aborted.
   * @throws DomainError `invalid_input`, attr `search`, `type_filter` or `source`, if a scan takes too long
   */
  page(record: LogRef, filter: LogFilter, page: PageRequest, signal?: StopSignal): Promise<Page<LogEntry>>;

  /**
   * Returns the keys of the newest matching entries in the primary store, in page order. Reads messages only for a
   * search, and only until it has found enough.
   * @param limit at most `KEYS_MAX`
   * @throws DomainError as `page`
   */
  newestKeys(record: LogRef, filter: LogFilter, limit: number): Promise<readonly EntryKey[]>;

  /**
   * Returns the number of entries before this key in a listing with this filter, which must match the entry.
   * @throws DomainError as `page`
   */
  countBefore(record: LogRef, filter: LogFilter, key: EntryKey, signal?: StopSignal): Promise<number>;

  /**
   * Returns the key of the newest entry with this id. Reads only keys, newest first, until it finds the entry.
   * @throws DomainError `invalid_input`, attr `timestamp`, if that takes too long
   */
  findKey(record: LogRef, id: string, signal?: StopSignal): Promise<EntryKey | null>;

  entry(record: LogRef, key: EntryKey): Promise<LogEntry | null>;

  /**
   * Returns the entries with these keys that are in the primary store, in order, until they reach the byte limit, but
   * at least one. The limit counts the messages. Excludes entries of other projects.
   */
  find(record: LogRef, keys: readonly EntryKey[], maxBytes: number): Promise<readonly LogEntry[]>;
}
