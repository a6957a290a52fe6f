import type { WireErrorBody } from '@plugin-config/contract';
import { DAY_MS, ingest } from '@plugin-config/domain';
import { postgresIngestionStores } from '@plugin-config/persistence';
import { aDelivery, aFamily, aRecord } from '@plugin-config/testing';
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

test('the last 24 hours of several records are returned at once, for both families', async ({
  call,
  database,
  service,
}) => {
  const stores = postgresIngestionStores(database);
  const now = Date.now();
  const foreign = await aRecord(service.ports, await aFamily(service.ports));
  for (const family of ['plugin_configs', 'pipeline_transformation_configs']) {
    const [first, second, quiet] = [
      await newRecord(call, family),
      await newRecord(call, family),
      await newRecord(call, family),
    ];
    await ingest({ stores }, [
      aDelivery(first, { timestamp: now, successes: 5, successesOnRetry: 1, failures: 2 }),
      aDelivery(first, { timestamp: now - 2 * HOUR_MS, successes: 3 }),
      aDelivery(first, { timestamp: now - DAY_MS - HOUR_MS, successes: 9 }),
      aDelivery(second, { timestamp: now, successes: 0, failures: 4 }),
      aDelivery(foreign, { timestamp: now }),
    ]);
    const query = [first.id, second.id, quiet.id, foreign.id, 987_654_321]
      .map((id) => `record=${id}`)
      .join('&');
    const { status, body } = await call<Wire<'recentDeliveries'>>('GET', `/${family}/deliveries?${query}`);
    const hours = (...last: readonly number[]) => [
      ...Array.from({ length: 24 - last.length }, () => 0),
      ...last,
    ];
    expect([status, body]).toEqual([
      200,
      {
        start: new Date((Math.floor(now / HOUR_MS) - 23) * HOUR_MS).toISOString(),
        results: [
          { record: first.id, successes: hours(3, 0, 6), failures: hours(0, 0, 2) },
          { record: second.id, successes: hours(0), failures: hours(4) },
        ],
      },
    ]);
    expect((await call<Wire<'recentDeliveries'>>('GET', `/${family}/deliveries`)).body.results).toEqual([]);
  }
});

test.for([
  ['a word', ['x'], 'A valid integer'],
  ['zero', [1, 0], 'A valid integer'],
  ['more than 100', Array.from({ length: 101 }, (_, n) => n + 1), 'At most 100 values'],
] as const)('%s as records are rejected', async ([, ids, detail], { call }) => {
  const query = ids.map((id) => `record=${id}`).join('&');
  const { status, body } = await call<WireErrorBody>('GET', `/plugin_configs/deliveries?${query}`);
  expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', 'record']);
  expect(body.detail).toContain(detail);
});

test.for([
  ['granularity=week', 'granularity', 'Not a valid choice'],
  ['granularity=hour&granularity=day', 'granularity', 'single value'],
  ['from=yesterday', 'from', 'ISO 8601'],
  ['to=2026-13-01', 'to', 'ISO 8601'],
  ['from=2026-01-02&to=2026-01-02', 'to', 'later than `from`'],
  ['from=0001-01-01&to=9999-12-31', 'from', 'At most 1500 buckets'],
  ['granularity=5m&from=2026-01-01', 'from', 'At most 1500'],
] as const)('?%s is rejected', async ([query, attr, detail], { call }) => {
  const { path } = await newRecord(call);
  const { status, body } = await call<WireErrorBody>('GET', `${path}?${query}`);
  expect([status, body.type, body.code, body.attr]).toEqual([400, 'validation_error', 'invalid_input', attr]);
  expect(body.detail).toContain(detail);
});
