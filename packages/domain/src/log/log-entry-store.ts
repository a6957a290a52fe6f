import type { Page, PageRequest } from '../kernel/page.ts';
import type { LogEntry } from './log-entry.ts';

export interface LogFilter {
  /** Empty: every type. */
  readonly types: readonly string[];
  readonly source: string | null;
  readonly instanceId: string | null;
  /** Exclusive, both of them. */
  readonly after: Date | null;
  readonly before: Date | null;
  /** Part of the message, in any case, to the letter. */
  readonly search: string | null;
}

/** What became of each entry, in their order: `too_old` is what falls on a day that is dropped. */
export type AppendReport = readonly ('stored' | 'duplicate' | 'too_old')[];

export interface LogEntryStore {
  /**
   * Stores each entry unless one with its identity (record, timestamp, id) is stored; of several alike the first one.
   * Resolves when the entries would survive a crash, or, within a batch, when they would as soon as the batch ends. Where
   * it fails, some of them may be stored. Safe to repeat.
   * @throws DomainError `invalid_input` where a text cannot be stored
   */
  append(entries: readonly LogEntry[]): Promise<AppendReport>;

  /**
   * One page of a plugin config's log, newest first, ties by the highest id; `count` is exact. What counts for the
   * bytes of a page are the messages.
   * @throws DomainError `invalid_input`, attr `search`, `type_filter` or `source`, where a scan takes too long
   */
  page(
    record: { readonly projectId: number; readonly id: number },
    filter: LogFilter,
    page: PageRequest,
  ): Promise<Page<LogEntry>>;
}
