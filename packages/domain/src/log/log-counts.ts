import { bucketRange, type AskedBuckets, type BucketRange } from '../kernel/bucket-range.ts';
import type { Clock } from '../kernel/clock.ts';
import type { LOG_TYPES, LogRef } from './log-entry.ts';

/** Stands for all types that are not among `LOG_TYPES`. */
export const OTHER_TYPE = 'other';

export type CountedType = (typeof LOG_TYPES)[number] | typeof OTHER_TYPE;

/** The entries of an hour or a day. */
export interface LogCount {
  readonly start: Date;
  readonly count: number;
  /** A type without entries is absent. */
  readonly types: Readonly<Partial<Record<CountedType, number>>>;
}

export type LogRange = BucketRange<'hour' | 'day'>;

/** Which entries are counted: those of these known types (none: all), and of this known source (null: all). */
export interface CountedWords {
  readonly types: readonly string[];
  readonly source: string | null;
}

/** The stored entries over time, from counters. Resolves to the buckets with entries, oldest first. */
export interface LogCounts {
  ofLog(record: LogRef, range: LogRange, words: CountedWords): Promise<readonly LogCount[]>;
  /** Counts the entries of all records of the project, deleted ones included. May be a minute behind. */
  ofProject(projectId: number, range: LogRange, words: CountedWords): Promise<readonly LogCount[]>;
}

interface Dependencies {
  readonly logCounts: LogCounts;
  readonly clock: Clock;
}

interface AskedCounts extends AskedBuckets<'hour' | 'day'>, CountedWords {}

/** Counts the entries of a log over time. Bounds within a bucket include it. @throws DomainError `invalid_input`, as `bucketRange` */
export async function readLogCounts(
  { logCounts, clock }: Dependencies,
  record: LogRef,
  asked: AskedCounts,
): Promise<readonly LogCount[]> {
  return logCounts.ofLog(record, rangeOf(asked, clock), asked);
}

/** Counts the entries of all logs of a project, as `readLogCounts`. */
export async function readProjectLogCounts(
  { logCounts, clock }: Dependencies,
  projectId: number,
  asked: AskedCounts,
): Promise<readonly LogCount[]> {
  return logCounts.ofProject(projectId, rangeOf(asked, clock), asked);
}

function rangeOf(asked: AskedCounts, clock: Clock): LogRange {
  return bucketRange(asked, clock.now().getTime(), 'floor');
}
