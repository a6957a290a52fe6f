import { DomainError } from './domain-error.ts';

/** The widths of buckets, in UTC. */
export const BUCKET_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export const BUCKETS_MAX = 1500;

export type Granularity = keyof typeof BUCKET_MS;

/** Buckets of one width. Both times are starts of buckets, in milliseconds since 1970. */
export interface BucketRange<G extends Granularity = Granularity> {
  readonly granularity: G;
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

export interface AskedBuckets<G extends Granularity = Granularity> {
  readonly granularity: G;
  /** A day before `to` if null. */
  readonly from: Date | null;
  /** Now if null. */
  readonly to: Date | null;
}

/**
 * Returns the buckets to read.
 * @param round whether a bucket that contains `from` is left out (`ceil`), or included (`floor`)
 * @throws DomainError `invalid_input` if the range is empty or too large
 */
export function bucketRange<G extends Granularity>(
  { granularity, from: asked, to }: AskedBuckets<G>,
  now: number,
  round: 'ceil' | 'floor',
): BucketRange<G> {
  const end = to?.getTime() ?? now;
  const begin = asked?.getTime() ?? end - BUCKET_MS.day;
  if (begin >= end) throw outOfRange('to', 'The end has to be later than `from`.');
  const width = BUCKET_MS[granularity];
  const range = { granularity, from: Math[round](begin / width) * width, to: Math.ceil(end / width) * width };
  const count = (range.to - range.from) / width;
  if (count > BUCKETS_MAX) {
    const detail = `At most ${BUCKETS_MAX} buckets can be read at once, and these are ${count}: ask for fewer, or for wider ones.`;
    throw outOfRange('from', detail);
  }
  return range;
}

export function outOfRange(attr: 'from' | 'to', detail: string): DomainError {
  return new DomainError('invalid_input', detail, { attr });
}
