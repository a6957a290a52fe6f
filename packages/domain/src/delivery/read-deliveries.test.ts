import { expect, test } from 'vitest';
import type { BucketQuery, BucketRange } from '../kernel/bucket-range.ts';
import { DAY_MS } from '../log/log-days.ts';
import { readDeliveries } from './read-deliveries.ts';
import { BUCKET_MS, BUCKETS_MAX, type Granularity } from '../vocabulary/vocabulary.ts';

const NOW = new Date('2026-03-10T12:34:56.789Z');
const RECORD = { projectId: 1, family: 'plugin_configs', id: 7 } as const;

const ago = (ms: number): Date => new Date(NOW.getTime() - ms);

async function readWith(query: Partial<BucketQuery>) {
  const ranges: BucketRange[] = [];
  const starts = ['2026-03-10T11:00:00Z', '2026-03-10T12:00:00Z', '2026-03-10T13:00:00Z'];
  const sums = { successes: 1, successesOnRetry: 2, failures: 3 };
  const deliveries = {
    read: async (_: unknown, range: BucketRange) => {
      ranges.push(range);
      return starts.map((start) => ({ start: new Date(start), ...sums }));
    },
  };
  const buckets = await readDeliveries({ deliveries, clock: { now: () => NOW } }, RECORD, {
    granularity: 'hour',
    from: null,
    to: null,
    ...query,
  });
  const [range] = ranges;
  return {
    buckets,
    granularity: range?.granularity,
    from: new Date(range?.from ?? 0).toISOString(),
    to: new Date(range?.to ?? 0).toISOString(),
  };
}

test('without bounds, the buckets are those that started within the last day', async () => {
  expect(await readWith({})).toMatchObject({
    granularity: 'hour',
    from: '2026-03-09T13:00:00.000Z',
    to: '2026-03-10T13:00:00.000Z',
  });
});

test('a range includes buckets that start at its beginning or later, and before its end', async () => {
  const [from, to] = [new Date('2026-03-01T00:00:00.001Z'), new Date('2026-03-04T00:00:00Z')];
  expect(await readWith({ granularity: 'day', from, to })).toMatchObject({
    from: '2026-03-02T00:00:00.000Z',
    to: '2026-03-04T00:00:00.000Z',
  });
});

test('a bucket is complete once it has ended', async () => {
  expect((await readWith({})).buckets.map(({ complete }) => complete)).toEqual([true, false, false]);
});

test.each([
  [{ from: NOW }, 'to', 'later than `from`'],
  [{ from: ago(1), to: ago(2) }, 'to', 'later than `from`'],
  [
    { from: ago(1501 * BUCKET_MS.hour) },
    'from',
    'At most 1500 buckets can be read at once, but this range has 1501.',
  ],
  [{ granularity: 'day', from: ago(1501 * DAY_MS) }, 'from', 'At most 1500'],
  [{ granularity: '5m', from: ago(6 * DAY_MS) }, 'from', 'At most 1500'],
] as const)('%j is rejected', async (query, attr, detail) => {
  await expect(readWith(query)).rejects.toMatchObject({
    name: 'DomainError',
    code: 'invalid_input',
    attr,
    message: expect.stringContaining(detail),
  });
});

test.each([
  ['5m', BUCKETS_MAX * BUCKET_MS['5m']],
  ['hour', BUCKETS_MAX * BUCKET_MS.hour],
  ['day', BUCKETS_MAX * BUCKET_MS.day],
] as const)('the maximum number of %s buckets can be read', async (granularity: Granularity, ms) => {
  expect((await readWith({ granularity, from: ago(ms) })).buckets).toHaveLength(3);
});
