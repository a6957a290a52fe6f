import { invalidInput } from './domain-error.ts';
import { BUCKET_MS, BUCKETS_MAX, type Granularity } from '../vocabulary/vocabulary.ts';

/** A range of equally wide buckets. Both bounds are bucket starts, in milliseconds since 1970. */
export interface BucketRange<G extends Granularity = Granularity> {
  readonly granularity: G;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface BucketQuery<G extends Granularity = Granularity> {
  readonly granularity: G;
  /** Null means one day before `to`. */
  readonly from: Date | null;
  /** Null means now. */
  readonly to: Date | null;
}

/** The last 24 hours, including the current one. */
export const LAST_DAY = { granularity: 'hour', from: null, to: null } as const satisfies BucketQuery;

/**
 * Returns the buckets to read.
 * @param round whether a bucket that contains `from` is left out (`ceil`) or included (`floor`)
 * @throws DomainError `invalid_input` if the range is empty or too large
 */
export function bucketRange<G extends Granularity>(
  { granularity, from: requested, to }: BucketQuery<G>,
  now: Date,
  round: 'ceil' | 'floor',
): BucketRange<G> {
  const end = (to ?? now).getTime();
  const begin = requested?.getTime() ?? end - BUCKET_MS.day;
  if (begin >= end) throw invalidInput('to', '`to` must be later than `from`.');
  const width = BUCKET_MS[granularity];
  const range = { granularity, from: Math[round](begin / width) * width, to: Math.ceil(end / width) * width };
  const count = (range.to - range.from) / width;
  if (count > BUCKETS_MAX) {
    const detail = `At most ${BUCKETS_MAX} buckets can be read at once, but this range has ${count}. Use a shorter range or wider buckets.`;
    throw invalidInput('from', detail);
  }
  return range;
}

/** Returns the start of each bucket. */
export function startsIn({ granularity, from, to }: BucketRange): readonly number[] {
  const width = BUCKET_MS[granularity];
  return Array.from({ length: (to - from) / width }, (_, at) => from + at * width);
}
