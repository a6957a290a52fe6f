import type { DeliveryBucket } from '@plugin-config/client';

const HOUR_MS = 3_600_000;
const HOURLY = { granularity: 'hour', bucketMs: HOUR_MS } as const;
const DAILY = { granularity: 'day', bucketMs: 24 * HOUR_MS } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DATE = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;

/** The time ranges by their names in the address: their buckets, and how many buckets apart the labels of the chart are. */
export const SPANS = {
  '24h': { ...HOURLY, title: '24 hours', buckets: 24, labelEvery: 6, label: CLOCK },
  '7d': { ...HOURLY, title: '7 days', buckets: 7 * 24, labelEvery: 24, label: { weekday: 'short' } },
  '30d': { ...DAILY, title: '30 days', buckets: 30, labelEvery: 8, label: DATE },
} as const;

export type SpanName = keyof typeof SPANS;
export type Span = (typeof SPANS)[SpanName];

/** The counts of a bucket, in the order of the table. */
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
