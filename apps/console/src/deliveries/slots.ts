import type { DeliveryBucket } from '@plugin-config/client';

const HOUR_MS = 3_600_000;

/** The time ranges by their names in the address, with the size and number of their buckets. */
export const SPANS = {
  '24h': { title: '24 hours', granularity: 'hour', bucketMs: HOUR_MS, buckets: 24 },
  '7d': { title: '7 days', granularity: 'hour', bucketMs: HOUR_MS, buckets: 7 * 24 },
  '30d': { title: '30 days', granularity: 'day', bucketMs: 24 * HOUR_MS, buckets: 30 },
} as const;

export type SpanName = keyof typeof SPANS;
export type Span = (typeof SPANS)[SpanName];

/** Parses the span in an address; defaults to a day. */
export function spanOf(name: string | null): SpanName {
  return name !== null && Object.hasOwn(SPANS, name) ? (name as SpanName) : '24h';
}

/** Returns the range of a span, which ends with the current bucket. */
export function rangeOf(
  { bucketMs, buckets }: Span,
  now: number,
): { readonly from: Date; readonly to: Date } {
  const end = (Math.floor(now / bucketMs) + 1) * bucketMs;
  return { from: new Date(end - buckets * bucketMs), to: new Date(end) };
}

/** A slot of the chart: a bucket, or null where there was no report, which differs from zero. */
export interface Slot {
  readonly start: number;
  readonly bucket: DeliveryBucket | null;
}

export function slotsOf(
  results: readonly DeliveryBucket[],
  { bucketMs, buckets }: Span,
  from: Date,
): readonly Slot[] {
  const byStart = new Map(results.map((bucket) => [Date.parse(bucket.start), bucket]));
  return Array.from({ length: buckets }, (_, index) => {
    const start = from.getTime() + index * bucketMs;
    return { start, bucket: byStart.get(start) ?? null };
  });
}

export const totalOf = ({ successes, successes_on_retry: onRetry, failures }: DeliveryBucket): number =>
  successes + onRetry + failures;

export interface Sums {
  readonly successes: number;
  readonly successes_on_retry: number;
  readonly failures: number;
}

export function sumsOf(results: readonly DeliveryBucket[]): Sums {
  const sum = (field: keyof Sums): number => results.reduce((total, bucket) => total + bucket[field], 0);
  return {
    successes: sum('successes'),
    successes_on_retry: sum('successes_on_retry'),
    failures: sum('failures'),
  };
}
