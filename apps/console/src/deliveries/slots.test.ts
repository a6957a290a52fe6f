import type { DeliveryBucket } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  FIGURES,
  rangeOf,
  slotsOf,
  spanOf,
  SPANS,
  sumOf,
  totalOf,
  type Figure,
  type SpanName,
} from './slots.ts';

const span = fc.constantFrom(...(Object.keys(SPANS) as SpanName[])).map((name) => SPANS[name]);
const now = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });

function bucketAt(start: number, figures: readonly [number, number, number]): DeliveryBucket {
  const [successes, onRetry, failures] = figures;
  const at = new Date(start).toISOString();
  return { start: at, successes, successes_on_retry: onRetry, failures, complete: true };
}

test('each bucket gets its slot, and slots without a report are empty', () => {
  const figures = fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000));
  const reported = fc.array(fc.option(figures), { minLength: 168, maxLength: 168 });
  fc.assert(
    fc.property(span, now, reported, (of, at, all) => {
      const { from, to } = rangeOf(of, at);
      const results = all
        .slice(0, of.buckets)
        .flatMap((one, index) => (one === null ? [] : [bucketAt(from.getTime() + index * of.bucketMs, one)]));
      const slots = slotsOf(results, of, from);
      expect(slots.map(({ bucket }) => bucket).filter((bucket) => bucket !== null)).toEqual(results);
      expect(slots).toHaveLength(of.buckets);
      const sums = (Object.keys(FIGURES) as Figure[]).map((figure) => sumOf(slots, figure));
      expect(sums.reduce((a, b) => a + b)).toBe(results.reduce((sum, one) => sum + totalOf(one), 0));
      expect(to.getTime() - from.getTime()).toBe(of.buckets * of.bucketMs);
      expect(to.getTime() - of.bucketMs).toBeLessThanOrEqual(at);
      expect(to.getTime()).toBeGreaterThan(at);
    }),
  );
});

test('an unknown span falls back to a day', () => {
  expect(['30d', '7d', '24h', null, 'toString', '1y'].map(spanOf)).toEqual([
    '30d',
    '7d',
    '24h',
    '24h',
    '24h',
    '24h',
  ]);
});
