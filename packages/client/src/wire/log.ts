import type { Page, PageQuery } from './page.ts';

/** One line of a plugin config's log. */
export interface LogEntry {
  readonly id: string;
  readonly team_id: number;
  readonly plugin_id: number;
  readonly plugin_config_id: number;
  readonly timestamp: string;
  /** `SYSTEM`, `PLUGIN`, `CONSOLE` or another word of that form. */
  readonly source: string;
  /** `DEBUG`, `LOG`, `INFO`, `WARN`, `ERROR` or another word of that form. */
  readonly type: string;
  readonly message: string;
  readonly instance_id: string;
}

export interface LogFilter {
  /** Only entries of these types. */
  readonly type_filter?: readonly string[] | undefined;
  readonly source?: string | undefined;
  readonly instance_id?: string | undefined;
  /** Only entries after this time. */
  readonly after?: Date | string | undefined;
  /** Only entries before this time. */
  readonly before?: Date | string | undefined;
  /** Only entries whose message contains this text, ignoring case. There are no wildcards. */
  readonly search?: string | undefined;
}

export interface LogQuery extends PageQuery, LogFilter {
  /** Returns the page that contains the entry with this id, instead of one at an `offset`. */
  readonly around?: string | undefined;
}

export interface LogPage extends Page<LogEntry> {
  /** The offset of the page; present only with `around`. */
  readonly offset?: number | undefined;
}

export interface LogEntryQuery {
  /** The timestamp of the entry. With it, the lookup is fast in a log of any size. */
  readonly timestamp?: Date | string | undefined;
}

export interface LogStreamQuery extends LogFilter {
  /** Start with this many of the newest entries, 0 to 1000, oldest first. Ignored if the stream resumes. */
  readonly tail?: number | undefined;
}

/** The number of entries in one hour or day, in UTC. */
export interface LogCount {
  readonly start: string;
  readonly count: number;
  /** Entries by type, without types that have none. `other` counts all types that are not listed here. */
  readonly types: { readonly [Type in KnownLogType | 'other']?: number };
}

export interface LogCounts {
  /** Oldest first, without buckets that have no entries. */
  readonly results: readonly LogCount[];
}

export type KnownLogType = 'DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR';

export interface LogCountsQuery {
  /** Starts with the bucket that contains this time. Defaults to one day before `to`. */
  readonly from?: Date | string | undefined;
  /** Only buckets that start before this time. Defaults to now. */
  readonly to?: Date | string | undefined;
  /** Defaults to `hour`. */
  readonly granularity?: 'hour' | 'day' | undefined;
  /** Only entries of these types. */
  readonly type_filter?: readonly KnownLogType[] | undefined;
  readonly source?: 'SYSTEM' | 'PLUGIN' | 'CONSOLE' | undefined;
}
