import {
  BUCKET_MS,
  DAY_MS,
  FAILED_KEPT_MAX,
  FAMILIES,
  ingest,
  type DeliveryBucket,
  type DeliveryMessage,
  type FailureFilter,
  type Granularity,
  type RecordRef,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aDelivery } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { calendar } from './calendar.ts';
import { droppedBy } from './dropped-by.ts';
import { seededPick } from './seeded-pick.ts';

const { '5m': SPAN_MS, hour: HOUR_MS } = BUCKET_MS;
const ROUNDS = 12;

class Killed extends Error {}

function startOf(time: number, granularity: Granularity): number {
  return Math.floor(time / BUCKET_MS[granularity]) * BUCKET_MS[granularity];
}

/** Adds up the reports one by one. */
function bucketsOf(reports: readonly DeliveryMessage[], granularity: Granularity): readonly DeliveryBucket[] {
  const buckets = new Map<number, DeliveryBucket>();
  for (const { timestamp, successes, successesOnRetry, failures } of reports) {
    const start = startOf(timestamp, granularity);
    const sum = buckets.get(start) ?? { successes: 0, successesOnRetry: 0, failures: 0 };
    buckets.set(start, {
      start: new Date(start),
      successes: sum.successes + successes,
      successesOnRetry: sum.successesOnRetry + successesOnRetry,
      failures: sum.failures + failures,
    });
  }
  return [...buckets.values()].toSorted((a, b) => a.start.getTime() - b.start.getTime());
}

export function deliverySeriesContract(test: TestWith<LogPorts>): void {
  const read = (
    { deliveries }: LogPorts,
    record: RecordRef,
    granularity: Granularity,
    [after, before]: readonly [number, number] = [Date.now() - 9 * DAY_MS, Date.now() + 2 * DAY_MS],
  ) =>
    deliveries.read(record, {
      granularity,
      from: startOf(after, granularity),
      to: startOf(before, granularity),
    });

  test('buckets of every width add up the reports in both families', async (ports) => {
    const now = Date.now();
    const times = [0, 1, 2 * SPAN_MS, 3 * HOUR_MS, 20 * HOUR_MS].map((age) => now - age);
    for (const family of FAMILIES) {
      const record = await aRecord(ports, await aFamily(ports, family));
      expect(await read(ports, record, 'day')).toEqual([]);
      const reports = times.map((timestamp, i) =>
        aDelivery(record, { timestamp, successes: 10 ** i, successesOnRetry: i, failures: 2_147_483_647 }),
      );
      await ingest(ports, reports);
      for (const granularity of ['5m', 'hour', 'day'] as const) {
        expect(await read(ports, record, granularity)).toEqual(bucketsOf(reports, granularity));
      }
    }
  });

  test('a record is read only with its own project and family', async (ports) => {
    const family = await aFamily(ports);
    const [record, other] = [await aRecord(ports, family), await aRecord(ports, await aFamily(ports))];
    await ingest(ports, [aDelivery(record, { timestamp: Date.now() })]);
    const foreign = [
      other,
      { ...record, projectId: other.projectId },
      { ...record, family: 'pipeline_transformation_configs' as const },
    ];
    for (const granularity of ['5m', 'hour'] as const) {
      for (const ref of foreign) expect(await read(ports, ref, granularity)).toEqual([]);
      expect(await read(ports, record, granularity)).toHaveLength(1);
    }
  });

  test('the hours of several records are read at once, without those of other families and projects', async (ports) => {
    const family = await aFamily(ports);
    const sibling = { ...family, family: 'pipeline_transformation_configs' as const };
    const [first, second, quiet] = [
      await aRecord(ports, family),
      await aRecord(ports, family),
      await aRecord(ports, family),
    ];
    const foreign = [await aRecord(ports, sibling), await aRecord(ports, await aFamily(ports))];
    const to = startOf(Date.now(), 'hour') + HOUR_MS;
    const range = { granularity: 'hour' as const, from: to - 3 * HOUR_MS, to };
    const outside = [range.from - 1, to].map((timestamp) => aDelivery(first, { timestamp }));
    const reports = [
      aDelivery(first, { timestamp: to - 1, successes: 2_147_483_647, successesOnRetry: 1, failures: 2 }),
      aDelivery(first, { timestamp: to - HOUR_MS, successes: 2_147_483_647 }),
      aDelivery(first, { timestamp: range.from }),
      aDelivery(second, { timestamp: to - 2 * HOUR_MS, failures: 7 }),
    ];
    const others = foreign.map((record) => aDelivery(record, { timestamp: to - 1 }));
    await ingest(ports, [...outside, ...reports, ...others]);
    const ids = [...foreign, quiet, second, first, second].map(({ id }) => id);
    const expected = [first, second].flatMap(({ id }) =>
      bucketsOf(
        reports.filter(({ recordId }) => recordId === id),
        'hour',
      ).map((bucket) => ({ recordId: id, ...bucket })),
    );
    expect(await ports.deliveries.readHours(family, [...ids, 2 ** 53 - 1], range)).toEqual(expected);
    expect(await ports.deliveries.readHours(family, [quiet.id], range)).toEqual([]);
    expect(await ports.deliveries.readHours(family, [], range)).toEqual([]);
  });

  test('the sums match the reports, even if some are repeated, late, concurrent, or in a batch that is killed', async (ports) => {
    const family = await aFamily(ports);
    const records = [await aRecord(ports, family), await aRecord(ports, family)] as const;
    const pick = seededPick(31);
    const reported: DeliveryMessage[] = [];
    const aReport = (): DeliveryMessage => {
      const age = [pick(5) * SPAN_MS, pick(DAY_MS), pick(6 * DAY_MS), -pick(20 * HOUR_MS)][pick(4)] ?? 0;
      return aDelivery(records[pick(2)] ?? records[0], {
        timestamp: Date.now() - age,
        successes: pick(1000),
        successesOnRetry: pick(3),
        failures: pick(2) * 2_147_483_647,
      });
    };
    for (let round = 0; round < ROUNDS; round++) {
      const batches = Array.from({ length: 1 + pick(3) }, () => {
        const fresh = Array.from({ length: 1 + pick(30) }, aReport);
        const again = [...reported, ...fresh].filter(() => pick(4) === 0);
        reported.push(...fresh);
        return [...fresh, ...again].toSorted(() => pick(3) - 1);
      });
      await Promise.all(
        batches.map(async (batch) => {
          if (pick(3) === 0) {
            const killed = ports.stores.withBatch(async ({ reports }) => {
              await reports.store({ deliveries: batch, errors: [] });
              throw new Killed();
            });
            await expect(killed).rejects.toBeInstanceOf(Killed);
          }
          await ingest(ports, batch);
        }),
      );
      for (const record of records) {
        const own = reported.filter(({ recordId }) => recordId === record.id);
        for (const granularity of ['5m', 'hour', 'day'] as const) {
          expect(await read(ports, record, granularity)).toEqual(bucketsOf(own, granularity));
        }
      }
    }
  });

  const NO_FILTER = { reason: null, from: null, to: null };
  const failedRefs = async (
    { deliveries }: LogPorts,
    record: RecordRef,
    filter: Partial<FailureFilter> = {},
    page = { limit: 2000, offset: 0 },
  ) => {
    const { count, items } = await deliveries.failed(record, { ...NO_FILTER, ...filter }, page);
    return { count, refs: items.map(({ ref }) => ref) };
  };
  const failures = (from: number, count: number, reason = 'timeout') =>
    Array.from({ length: count }, (_, n) => ({ ref: `event ${from + n}`, reason }));

  test('failed deliveries are listed latest first, with filters and in pages', async (ports) => {
    const now = Date.now();
    for (const family of FAMILIES) {
      const record = await aRecord(ports, await aFamily(ports, family));
      expect(await failedRefs(ports, record)).toEqual({ count: 0, refs: [] });
      await ingest(ports, [
        aDelivery(record, { timestamp: now, failed: failures(3, 1, 'refused') }),
        aDelivery(record, { timestamp: now - 2000, failed: failures(0, 2) }),
        aDelivery(record, { timestamp: now - 1000, failed: failures(2, 1) }),
      ]);
      const refs = ['event 3', 'event 2', 'event 1', 'event 0'];
      expect(await failedRefs(ports, record)).toEqual({ count: 4, refs });
      const { items } = await ports.deliveries.failed(record, NO_FILTER, { limit: 1, offset: 1 });
      expect(items).toEqual([{ ref: 'event 2', reason: 'timeout', at: new Date(now - 1000) }]);
      expect(await failedRefs(ports, record, { reason: 'timeout' })).toEqual({
        count: 3,
        refs: refs.slice(1),
      });
      expect(await failedRefs(ports, record, { reason: 'time' })).toEqual({ count: 0, refs: [] });
      const [from, to] = [new Date(now - 1000), new Date(now)];
      expect(await failedRefs(ports, record, { from })).toMatchObject({ refs: refs.slice(0, 2) });
      expect(await failedRefs(ports, record, { to })).toMatchObject({ refs: refs.slice(1) });
      expect(await failedRefs(ports, record, { from, to })).toMatchObject({ refs: ['event 2'] });
      const foreign = [
        { ...record, projectId: (await aFamily(ports)).projectId },
        { ...record, family: FAMILIES.find((other) => other !== family) ?? family },
        await aRecord(ports, record),
      ];
      for (const ref of foreign) expect(await failedRefs(ports, ref)).toEqual({ count: 0, refs: [] });
    }
  });

  test('the failed deliveries of a repeated or killed report are kept once', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const report = aDelivery(record, { timestamp: Date.now(), failed: failures(0, 2) });
    const killed = ports.stores.withBatch(async ({ reports }) => {
      await reports.store({ deliveries: [report], errors: [] });
      throw new Killed();
    });
    await expect(killed).rejects.toBeInstanceOf(Killed);
    expect(await failedRefs(ports, record)).toMatchObject({ count: 0 });
    await ingest(ports, [report, report]);
    await Promise.all(Array.from({ length: 5 }, () => ingest(ports, [report])));
    expect(await failedRefs(ports, record)).toEqual({ count: 2, refs: ['event 1', 'event 0'] });
  });

  test('of a record and of a project, the latest failed deliveries are kept', async (ports) => {
    const { perRecord, perProject } = FAILED_KEPT_MAX;
    const family = await aFamily(ports);
    const now = Date.now();
    const [first, other] = [await aRecord(ports, family), await aRecord(ports, await aFamily(ports))];
    const reportsOf = (record: RecordRef, count: number, at = now) =>
      Array.from({ length: count / 100 }, (_, n) =>
        aDelivery(record, { timestamp: at + n, failed: failures(100 * n, 100) }),
      );
    await ingest(ports, reportsOf(other, 100));
    await ingest(ports, reportsOf(first, perRecord + 200));
    const last = `event ${perRecord + 199}`;
    const kept = await failedRefs(ports, first);
    expect([kept.count, kept.refs[0], kept.refs.at(-1)]).toEqual([perRecord, last, 'event 200']);
    await ingest(ports, [aDelivery(first, { timestamp: now + 60_000, failed: failures(5000, 1) })]);
    const moved = await failedRefs(ports, first);
    expect([moved.count, moved.refs[0], moved.refs.at(-1)]).toEqual([perRecord, 'event 5000', 'event 201']);
    // The oldest of the project go first.
    for (let n = 0; n < perProject / perRecord; n++) {
      const record = await aRecord(ports, family);
      await ingest(ports, reportsOf(record, perRecord, now + 1000));
    }
    expect((await failedRefs(ports, first)).refs).toEqual(['event 5000']);
    expect(await failedRefs(ports, other)).toMatchObject({ count: 100 });
  });

  test('failed deliveries are deleted by age with the others', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const fromToday = await calendar();
    const ages = [5, 4, 3];
    await ingest(
      ports,
      ages.map((age) => aDelivery(record, { timestamp: fromToday(-age), failed: failures(age, 1) })),
    );
    expect(await droppedBy(ports.retention.deliveries(Date.now() - fromToday(-4)))).toBe(4);
    expect(await failedRefs(ports, record)).toEqual({ count: 1, refs: ['event 3'] });
  });

  test('deliveries are deleted by age, and their reports stay duplicates', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const fromToday = await calendar();
    const day = (n: number): number => fromToday(-n);
    const reports = [day(5), day(4), day(3)].map((timestamp) => aDelivery(record, { timestamp }));
    const days = async () => (await read(ports, record, 'day')).map(({ start }) => start.getTime());
    await ingest(ports, reports);
    expect(await droppedBy(ports.retention.deliveries(9 * DAY_MS))).toBe(0);
    expect(await droppedBy(ports.retention.deliveries(Date.now() - day(4)))).toBe(2);
    expect(await days()).toEqual([day(3)]);
    expect(await ingest(ports, reports)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    expect(await days()).toEqual([day(3)]);
  });
}
