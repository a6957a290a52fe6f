import { bucketRange, type BucketQuery, type BucketRange } from '../kernel/bucket-range.ts';
import type { Clock } from '../kernel/clock.ts';
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

interface Dependencies {
  readonly logCounts: LogCounts;
  readonly clock: Clock;
}

interface CountsQuery extends BucketQuery<'hour' | 'day'>, LogCountFilter {}

/**
 * Counts the entries of a log over time. A bucket that contains a bound is included.
 * @throws DomainError `invalid_input`, as `bucketRange`
 */
export async function readLogCounts(
  { logCounts, clock }: Dependencies,
  record: LogRef,
  query: CountsQuery,
): Promise<readonly LogCount[]> {
  return logCounts.ofLog(record, rangeOf(query, clock), query);
}

/** Counts the entries of all logs of a project, like `readLogCounts`. */
export async function readProjectLogCounts(
  { logCounts, clock }: Dependencies,
  projectId: number,
  query: CountsQuery,
): Promise<readonly LogCount[]> {
  return logCounts.ofProject(projectId, rangeOf(query, clock), query);
}

function rangeOf(query: CountsQuery, clock: Clock): LogRange {
  return bucketRange(query, clock.now().getTime(), 'floor');
}
