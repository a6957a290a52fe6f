/** @module-tag long */

import type { WireConfigRecord, WireConfigRecordPage } from '@plugin-config/contract';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';

const LARGE = { text: '"'.repeat(100_000) };
const RECORDS = 30;

test('a page of very large configurations ends early, and the next page continues there', async ({
  call,
}) => {
  const ids: number[] = [];
  for (let plugin = 1; plugin <= RECORDS; plugin++) {
    const { body } = await call('POST', '/plugin_configs/', { body: { plugin } });
    await call('PUT', `/plugin_configs/${body.id}/config/`, { body: LARGE });
    ids.push(body.id);
  }
  const records: WireConfigRecord[] = [];
  let pages = 0;
  for (let path: string | null = '/plugin_configs/?limit=1000'; path !== null; pages++) {
    const { body }: { body: WireConfigRecordPage } = await call<WireConfigRecordPage>('GET', path);
    expect(body.count).toBe(RECORDS);
    records.push(...body.results);
    path = body.next === null ? null : body.next.slice(body.next.indexOf('/plugin_configs'));
  }
  expect(records.map(({ id }) => id)).toEqual(ids);
  expect(pages).toBeGreaterThan(1);
});

test('the older form of rearrange returns all records of any size, and reads one chunk at a time', async ({
  call,
  service,
}) => {
  const ids: number[] = [];
  for (let plugin = 1; plugin <= RECORDS; plugin++) {
    const { body } = await call('POST', '/plugin_configs/', { body: { plugin } });
    await call('PUT', `/plugin_configs/${body.id}/config/`, { body: LARGE });
    ids.push(body.id);
  }
  const orders = Object.fromEntries(ids.map((id, i) => [id, RECORDS - i]));
  const { status, body } = await call<WireConfigRecord[]>('PATCH', '/plugin_configs/rearrange', {
    body: { orders },
  });
  expect([status, body.map(({ id }) => id)]).toEqual([200, ids.toReversed()]);
  expect(new Set(body.map(({ config }) => config)).size).toBe(1);
  const chunks = service.statements.filter((text) => text.includes('with ordinality as n'));
  expect(chunks.length).toBeGreaterThan(5);
  expect(service.app.gate.memory.used).toBe(0);
});

test('a hundred concurrent changes to one record are all stored in sequence', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs/', { body: { plugin: 1 } });
  const path = `/plugin_configs/${record.id}/`;
  const changes = Array.from({ length: 100 }, (_, n) => call('PATCH', path, { body: { name: `Name ${n}` } }));
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const { body } = await call<{ count: number }>('GET', `${path}activity/`);
  expect(body.count).toBe(101);
});
