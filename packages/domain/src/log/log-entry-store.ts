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

export interface AppendReport {
  readonly stored: number;
  readonly duplicates: number;
}

export interface LogEntryStore {
  /**
   * Stores the entries that are not stored yet, all or none. Resolves after the commit. Their texts are storable, and
   * their days are kept: others are not stored, and count as neither.
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
