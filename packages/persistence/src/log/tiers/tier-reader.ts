import type {
  CopiedDay,
  EntryKey,
  LogEntry,
  LogFilter,
  LogRef,
  Page,
  PageRequest,
} from '@plugin-config/domain';
import type { StopSignal } from '@plugin-config/flow';
import type pg from 'pg';
import type { Kinds } from '../entries/kinds.ts';

/** Runs work in a snapshot, with its copied days, newest first. */
export type ReadSnapshot = <T>(
  work: (client: pg.ClientBase, days: readonly CopiedDay[]) => Promise<T>,
) => Promise<T>;

export interface Query {
  readonly record: LogRef;
  readonly filter: LogFilter;
  readonly kinds: Kinds;
  readonly signal: StopSignal | undefined;
}

/** Reads logs in one of two ways: with the counters, or with a scan. */
export interface TierReader {
  page(query: Query, page: PageRequest): Promise<Page<LogEntry>>;
  countBefore(query: Query, key: EntryKey): Promise<number>;
}
