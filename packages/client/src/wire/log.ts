import type { Page, PageQuery } from './page.ts';

/** One line of a plugin config's log. */
export interface LogEntry {
  readonly id: string;
  readonly team_id: number;
  readonly plugin_id: number;
  readonly plugin_config_id: number;
  readonly timestamp: string;
  /** SYSTEM, PLUGIN, CONSOLE, or another word of that form. */
  readonly source: string;
  /** DEBUG, LOG, INFO, WARN, ERROR, or another word of that form. */
  readonly type: string;
  readonly message: string;
  readonly instance_id: string;
}

export interface LogFilter {
  /** Only entries of these types. */
  readonly type_filter?: readonly string[] | undefined;
  readonly source?: string | undefined;
  readonly instance_id?: string | undefined;
  /** Only later entries. */
  readonly after?: Date | string | undefined;
  /** Only earlier entries. */
  readonly before?: Date | string | undefined;
  /** A part of the message, case-insensitive; no character is a wildcard. */
  readonly search?: string | undefined;
}

export interface LogQuery extends PageQuery, LogFilter {
  /** The page that has the entry with this id, in place of an `offset`. */
  readonly around?: string | undefined;
}

export interface LogPage extends Page<LogEntry> {
  /** Where the page begins; only with `around`. */
  readonly offset?: number | undefined;
}

export interface LogEntryQuery {
  /** The timestamp of the entry, with which it is found at once in a log of any size. */
  readonly timestamp?: Date | string | undefined;
}

export interface LogStreamQuery extends LogFilter {
  /** Begin with this many of the newest entries, oldest first: 0 to 1000. Without effect if the stream resumes. */
  readonly tail?: number | undefined;
}

/** The number of entries of an hour or a day of UTC. */
export interface LogCount {
  readonly start: string;
  readonly count: number;
  /** By type, without types that have no entries. `other` has all types that are not known. */
  readonly types: { readonly [Type in KnownLogType | 'other']?: number };
}

export interface LogCounts {
  /** Oldest first. A bucket without entries is absent. */
  readonly results: readonly LogCount[];
}

export type KnownLogType = 'DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR';

export interface LogCountsQuery {
  /** From the bucket that contains this time: a day before `to` by default. */
  readonly from?: Date | string | undefined;
  /** Up to the bucket that contains the moment before: now by default. */
  readonly to?: Date | string | undefined;
  /** `hour` by default. */
  readonly granularity?: 'hour' | 'day' | undefined;
  /** Only entries of these types. */
  readonly type_filter?: readonly KnownLogType[] | undefined;
  readonly source?: 'SYSTEM' | 'PLUGIN' | 'CONSOLE' | undefined;
}
