import { expect, test } from 'vitest';
import type { BucketRange } from '../kernel/bucket-range.ts';
import { readRecentDeliveries } from './read-recent-deliveries.ts';

const FAMILY = { projectId: 1, family: 'plugin_configs' } as const;
const NONE = { successes: 0, successesOnRetry: 0, failures: 0 };

async function readAt(now: string, starts: Readonly<Record<number, readonly string[]>>) {
  const ranges: BucketRange[] = [];
  const buckets = Object.entries(starts).flatMap(([id, hours]) =>
    hours.map((start) => ({ recordId: Number(id), start: new Date(start), ...NONE, successes: 5 })),
  );
  const deliveries = {
    readHours: async (_family: unknown, _ids: unknown, range: BucketRange) => {
      ranges.push(range);
      return buckets;
    },
  };
  const clock = { now: () => new Date(now) };
  const recent = await readRecentDeliveries({ deliveries, clock }, FAMILY, [7, 8, 9]);
  return { ...recent, end: new Date(ranges[0]?.to ?? 0) };
}

test('the last of the 24 hours is the current one', async () => {
  for (const [now, start, end] of [
    ['2026-03-10T12:00:00.001Z', '2026-03-09T13:00:00.000Z', '2026-03-10T13:00:00.000Z'],
    ['2026-03-10T12:59:59.999Z', '2026-03-09T13:00:00.000Z', '2026-03-10T13:00:00.000Z'],
  ] as const) {
    expect(await readAt(now, {})).toEqual({ start: new Date(start), end: new Date(end), records: [] });
  }
});

test('each record with deliveries has 24 hours, and those without a report are zero', async () => {
  const { records } = await readAt('2026-03-10T12:34:56Z', {
    7: ['2026-03-09T13:00:00Z', '2026-03-10T12:00:00Z'],
    9: ['2026-03-10T11:00:00Z'],
  });
  expect(records.map(({ recordId }) => recordId)).toEqual([7, 9]);
  expect(records.map(({ hours }) => hours.map(({ successes }) => successes).join(''))).toEqual([
    `5${'0'.repeat(22)}5`,
    `${'0'.repeat(22)}50`,
  ]);
});
