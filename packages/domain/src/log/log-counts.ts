import { bucketRange, type BucketQuery, type BucketRange } from '../kernel/bucket-range.ts';
import type { LogRef } from './log-entry.ts';
import type { CountedType } from '../vocabulary/vocabulary.ts';

/** The number of entries in an hour or a day. */
export interface LogCount {
  readonly start: Date;
  readonly count: number;
  /** Types without entries are absent. */
  readonly types: Readonly<Partial<Record<CountedType, number>>>;
}

export type LogRange = BucketRange<'hour' | 'day'>;

/** Restricts the count to these known types (all if empty) and this known source (all if null). */
export interface LogCountFilter {
  readonly types: readonly string[];
  readonly source: string | null;
}

/** Entry counts over time, from counters. Returns the buckets with entries, oldest first. */
export interface LogCounts {
  ofLog(record: LogRef, range: LogRange, words: LogCountFilter): Promise<readonly LogCount[]>;
  /** Counts the entries of all records of the project, including deleted records. May lag by a minute. */
  ofProject(projectId: number, range: LogRange, words: LogCountFilter): Promise<readonly LogCount[]>;
}

/**
 * Returns the buckets to count. One that contains a bound is included.
 * @throws DomainError `invalid_input`, as `bucketRange`
 */
export function logRange(query: BucketQuery<'hour' | 'day'>, now: Date): LogRange {
  return bucketRange(query, now, 'floor');
}
