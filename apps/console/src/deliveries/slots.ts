import type { DeliveryBucket } from '@plugin-config/client';

const HOUR_MS = 3_600_000;

/** The time ranges by their names in the address: their buckets, and after how many of them the chart has a label. */
export const SPANS = {
  '24h': {
    title: '24 hours',
    granularity: 'hour',
    bucketMs: HOUR_MS,
    buckets: 24,
    labelEvery: 6,
    label: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  },
  '7d': {
    title: '7 days',
    granularity: 'hour',
    bucketMs: HOUR_MS,
    buckets: 7 * 24,
    labelEvery: 24,
    label: { weekday: 'short' },
  },
  '30d': {
    title: '30 days',
    granularity: 'day',
    bucketMs: 24 * HOUR_MS,
    buckets: 30,
    labelEvery: 8,
    label: { month: 'short', day: 'numeric', timeZone: 'UTC' },
  },
} as const;

export type SpanName = keyof typeof SPANS;
export type Span = (typeof SPANS)[SpanName];

/** What is counted in a bucket, in the order of the table. */
export const FIGURES = {
  successes: 'Delivered',
  successes_on_retry: 'On retry',
  failures: 'Failed',
} as const;

export type Figure = keyof typeof FIGURES;

/** Parses the span in an address; defaults to a day. */
export function spanOf(name: string | null): SpanName {
  return name !== null && Object.hasOwn(SPANS, name) ? (name as SpanName) : '24h';
}

/** Returns the range of a span, which ends with the current bucket. */
export function rangeOf({ bucketMs, buckets }: Span, now: number) {
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

export const sumOf = (slots: readonly Slot[], figure: Figure): number =>
  slots.reduce((sum, { bucket }) => sum + (bucket?.[figure] ?? 0), 0);
