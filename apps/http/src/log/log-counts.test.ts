import type { WireErrorBody } from '@plugin-config/contract';
import { DAY_MS, ingest } from '@plugin-config/domain';
import { postgresIngestionStores, postgresLogUpkeep } from '@plugin-config/persistence';
import { anEntry } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const HOUR_MS = 3_600_000;

test('the entries of one log and of all logs of a project are counted by hour and day', async ({
  call,
  database,
}) => {
  const attach = async () => (await call('POST', '/plugin_configs', { body: { plugin: 7 } })).body;
  const [one, two] = [await attach(), await attach()];
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const start = new Date(hour).toISOString();
  const longAgo = hour - 9 * HOUR_MS;
  await ingest({ stores: postgresIngestionStores(database) }, [
    anEntry(one, { timestamp: hour, type: 'ERROR', source: 'SYSTEM' }),
    anEntry(one, { timestamp: hour, type: 'OWN' }),
    anEntry(one, { timestamp: longAgo, type: 'ERROR' }),
    anEntry(two, { timestamp: hour, type: 'ERROR' }),
  ]);
  await call('DELETE', `/plugin_configs/${two.id}`);
  await postgresLogUpkeep(database).sumUpProjects();
  const counts = async (path: string) => (await call<Wire<'logCounts'>>('GET', path)).body.results;
  const own = `/plugin_configs/${one.id}/logs/counts`;
  const now = { start, count: 2, types: { ERROR: 1, other: 1 } };
  const before = { start: new Date(longAgo).toISOString(), count: 1, types: { ERROR: 1 } };
  expect(await counts(own)).toEqual([before, now]);
  expect(await counts(`${own}/?from=${start}`)).toEqual([now]);
  expect(await counts(`${own}?from=${start}&type_filter=ERROR&type_filter=LOG&source=SYSTEM`)).toEqual([
    { start, count: 1, types: { ERROR: 1 } },
  ]);
  expect(await counts(`${own}?to=${new Date(hour - DAY_MS).toISOString()}`)).toEqual([]);
  const all = await counts(
    `/plugin_configs/logs/counts?granularity=day&from=${new Date(longAgo).toISOString()}`,
  );
  expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(4);
  expect((await call('GET', '/plugin_configs/0/logs/counts')).status).toBe(404);
});

test.for([
  ['granularity=minute', 'granularity', 'Not a valid choice'],
  ['type_filter=OWN', 'type_filter', 'Only these types'],
  ['source=OWN', 'source', 'Not a valid choice'],
  ['from=2026-01-02&to=2026-01-02', 'to', 'later than `from`'],
  ['from=2020-01-01', 'from', 'At most 1500 buckets'],
] as const)('?%s is rejected', async ([query, attr, detail], { call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  for (const path of [`/plugin_configs/${record.id}/logs/counts`, '/plugin_configs/logs/counts']) {
    const { status, body } = await call<WireErrorBody>('GET', `${path}?${query}`);
    expect([status, body.type, body.code, body.attr]).toEqual([
      400,
      'validation_error',
      'invalid_input',
      attr,
    ]);
    expect(body.detail).toContain(detail);
  }
});
