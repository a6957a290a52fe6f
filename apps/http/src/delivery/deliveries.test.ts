import { DAY_MS, ingest } from '@plugin-config/domain';
import { postgresIngestionStores } from '@plugin-config/persistence';
import { aDelivery } from '@plugin-config/testing';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const HOUR_MS = 3_600_000;

async function newRecord(call: Call, family = 'plugin_configs') {
  const { body } = await call('POST', `/${family}`, { body: { plugin: 7 } });
  return { id: body.id, path: `/${family}/${body.id}/deliveries` };
}

const results = async (call: Call, path: string) =>
  (await call<Wire<'deliverySeries'>>('GET', path)).body.results;

test('deliveries are returned in buckets, oldest first, for both families', async ({ call, database }) => {
  const stores = postgresIngestionStores(database);
  const now = Date.now();
  const soon = now + HOUR_MS;
  const startOf = (time: number, width: number): string =>
    new Date(Math.floor(time / width) * width).toISOString();
  const end = `to=${new Date(now + 2 * HOUR_MS).toISOString()}`;
  for (const family of ['plugin_configs', 'pipeline_transformation_configs']) {
    const { path, ...record } = await newRecord(call, family);
    expect(await results(call, path)).toEqual([]);
    await ingest({ stores }, [
      aDelivery(record, { timestamp: soon, successes: 90, successesOnRetry: 5, failures: 5 }),
      aDelivery(record, { timestamp: now - 5 * HOUR_MS, successes: 1 }),
      aDelivery(record, { timestamp: now - 5 * HOUR_MS, successes: 2, failures: 2_147_483_647 }),
    ]);
    const older = { successes: 3, successes_on_retry: 0, failures: 2_147_483_647, complete: true };
    const newer = { successes: 90, successes_on_retry: 5, failures: 5, complete: false };
    for (const [granularity, width] of [
      ['5m', 300_000],
      ['hour', HOUR_MS],
    ] as const) {
      expect(await results(call, `${path}?granularity=${granularity}&${end}`)).toEqual([
        { start: startOf(now - 5 * HOUR_MS, width), ...older },
        { start: startOf(soon, width), ...newer },
      ]);
    }
    const days = `granularity=day&from=${startOf(now - 2 * DAY_MS, DAY_MS)}&${end}`;
    const [last] = (await results(call, `${path}/?${days}`)).slice(-1);
    expect(last).toMatchObject({ start: startOf(soon, DAY_MS), complete: false });
    expect(await results(call, path)).toHaveLength(1);
    expect(await results(call, `${path}?to=${startOf(now - HOUR_MS, HOUR_MS)}`)).toHaveLength(1);
    expect(await results(call, `${path}?from=0001-01-01&to=0001-01-02`)).toEqual([]);
    expect(await results(call, `${path}?to=0001-01-01`)).toEqual([]);
    expect(await results(call, `${path}?granularity=day&from=9999-01-01&to=9999-12-31T23:59:59.999`)).toEqual(
      [],
    );
  }
});

test('failed deliveries are listed, latest first, by reason and time', async ({ call, database }) => {
  const stores = postgresIngestionStores(database);
  const now = Math.floor(Date.now() / 1000) * 1000;
  const { path, ...record } = await newRecord(call);
  const list = (query = '') => call<Wire<'failedDeliveryPage'>>('GET', `${path}/failed${query}`);
  expect((await list()).body).toMatchObject({ count: 0, results: [] });
  await ingest({ stores }, [
    aDelivery(record, { timestamp: now - 1000, failures: 3, failed: [{ ref: 'a', reason: 'timeout' }] }),
    aDelivery(record, {
      timestamp: now,
      failed: [
        { ref: 'b', reason: 'timeout' },
        { ref: 'c', reason: '401 & more' },
      ],
    }),
  ]);
  const at = new Date(now).toISOString();
  const refs = async (query: string) => (await list(query)).body.results.map(({ ref }) => ref);
  const { body } = await list('?limit=1');
  expect(body).toMatchObject({ count: 3, next: expect.stringContaining('offset=1'), previous: null });
  expect(body.results).toEqual([{ ref: 'c', reason: '401 & more', at }]);
  expect(await refs('')).toEqual(['c', 'b', 'a']);
  expect(await refs('?reason=timeout')).toEqual(['b', 'a']);
  expect(await refs('?reason=401+%26+more')).toEqual(['c']);
  expect(await refs(`?from=${at}`)).toEqual(['c', 'b']);
  expect(await refs(`?to=${at}`)).toEqual(['a']);
  expect(await refs('?from=0001-01-01&to=9999-12-31')).toEqual(['c', 'b', 'a']);
  const next = (await list('?reason=timeout&limit=1')).body.next;
  expect(next).toContain('reason=timeout');
  for (const query of ['?from=yesterday', `?reason=${'x'.repeat(201)}`, '?limit=0'])
    expect((await list(query)).status).toBe(400);
});
