import type { Page, PageRequest } from '../kernel/page.ts';
import type { StopSignal } from '@plugin-config/flow';
import type { EntryKey, LogEntry, LogRef } from './log-entry.ts';

export interface LogFilter {
  /** Empty to include every type. */
  readonly types: readonly string[];
  readonly source: string | null;
  readonly instanceId: string | null;
  /** Both bounds are exclusive. */
  readonly after: Date | null;
  readonly before: Date | null;
  /** A part of the message, case-insensitive; no character is a wildcard. */
  readonly search: string | null;
}

/** The most keys that are read at once. */
export const KEYS_MAX = 20_000;

/**
 * The outcome of each entry, in order. `too_old`: its day is dropped. `unavailable`: its day is archived, and the archive cannot say
 * whether it has the entry.
 */
export type AppendOutcomes = readonly ('stored' | 'duplicate' | 'too_old' | 'unavailable')[];

export interface LogEntryStore {
  /**
   * Stores each entry unless its identity (record, timestamp, id) is already stored; of equal ones the first. Resolves
   * when the entries would survive a crash; within a batch, when they would as soon as the batch ends. Safe to repeat. Outside
   * of a batch, it also adds the sequence of followed logs.
   * @throws DomainError `invalid_input` if a text cannot be stored
   */
  append(entries: readonly LogEntry[]): Promise<AppendOutcomes>;

  /**
   * One page of the log of a record, newest first, equal times by the highest id; `count` is exact. The byte
   * limit of a page counts the messages. A store may stop reading when the signal is aborted, since nobody waits any more.
   * @throws DomainError `invalid_input`, attr `search`, `type_filter` or `source`, if a scan takes too long
   */
  page(record: LogRef, filter: LogFilter, page: PageRequest, signal?: StopSignal): Promise<Page<LogEntry>>;

  /**
   * The keys of the newest entries that match, in the order of a page, without those of archived days. A search reads messages
   * until it has found enough of them; nothing else does.
   * @param limit at most `KEYS_MAX`
   * @throws DomainError as `page`
   */
  newestKeys(record: LogRef, filter: LogFilter, limit: number): Promise<readonly EntryKey[]>;

  /**
   * The number of entries that a listing with this filter has before the one with this key, which the filter admits.
   * @throws DomainError as `page`
   */
  countBefore(record: LogRef, filter: LogFilter, key: EntryKey, signal?: StopSignal): Promise<number>;

  /**
   * The key of the newest entry of the log with this id. Reads keys alone, newest first, until it has found the entry.
   * @throws DomainError `invalid_input`, attr `timestamp`, if that takes too long
   */
  findKey(record: LogRef, id: string, signal?: StopSignal): Promise<EntryKey | null>;

  /** The entry of the log with this key, archived or not. */
  entry(record: LogRef, key: EntryKey): Promise<LogEntry | null>;

  /**
   * The stored ones of these entries of the log, in the order of the keys, as many as fit into the byte limit; at least
   * one. The byte limit counts the messages. None under another project, and none that are archived.
   */
  find(record: LogRef, keys: readonly EntryKey[], maxBytes: number): Promise<readonly LogEntry[]>;
}
