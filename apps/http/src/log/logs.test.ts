import { randomUUID } from 'node:crypto';
import { logEntryPage, type WireErrorBody } from '@plugin-config/contract';
import type { LogEntry, RecordRef } from '@plugin-config/domain';
import { expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const NOW = Date.now() - 60_000;
const INSTANCE = randomUUID();

async function newRecord(call: Call): Promise<RecordRef> {
  const { body } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  return { projectId: body.team_id, family: 'plugin_configs', id: body.id };
}

const entry = (
  { projectId, id }: RecordRef,
  secondsAgo: number,
  fields: Partial<LogEntry> = {},
): LogEntry => ({
  id: randomUUID(),
  projectId,
  plugin: 7,
  recordId: id,
  timestamp: new Date(NOW - 1000 * secondsAgo),
  source: 'PLUGIN',
  type: 'LOG',
  message: `${secondsAgo} seconds ago`,
  instanceId: INSTANCE,
  ...fields,
});

const store = (service: Service, entries: readonly LogEntry[]) => service.storeEntries(entries);
const page = async (call: Call, { id }: RecordRef, query = '') =>
  (await call<Wire<'logEntryPage'>>('GET', `/plugin_configs/${id}/logs${query}`)).body;
const messages = async (call: Call, record: RecordRef, query: string) => {
  const { results, count } = await page(call, record, query);
  expect(count).toBe(results.length);
  return results.map(({ message }) => message);
};

test('the log of a record is paginated, newest first, with a total count', async ({ call, service }) => {
  const record = await newRecord(call);
  const entries = Array.from({ length: 25 }, (_, i) => entry(record, i));
  await store(service, entries.toReversed());
  const first = await page(call, record);
  expect(logEntryPage.parse(first)).toEqual(first);
  expect(first).toMatchObject({ count: 25, next: null, previous: null });
  expect(first.results).toEqual(
    entries.map(({ id, timestamp, message }) => ({
      id,
      team_id: record.projectId,
      plugin_id: 7,
      plugin_config_id: record.id,
      timestamp: timestamp.toISOString(),
      source: 'PLUGIN',
      type: 'LOG',
      message,
      instance_id: INSTANCE,
    })),
  );
  const middle = await page(call, record, '/?limit=10&offset=10');
  const address = `${service.url}/api/projects/${record.projectId}/plugin_configs/${record.id}/logs/`;
  expect(middle).toEqual({
    count: 25,
    next: `${address}?limit=10&offset=20`,
    previous: `${address}?limit=10`,
    results: first.results.slice(10, 20),
  });
  expect(await page(call, record, '?offset=77')).toMatchObject({ count: 25, next: null, results: [] });
});

test('a filter with more than millisecond precision falls between two milliseconds', async ({
  call,
  service,
}) => {
  const record = await newRecord(call);
  const now = Math.floor(NOW / 1000) * 1000;
  await store(
    service,
    [122, 123, 124].map((ms) => entry(record, 0, { timestamp: new Date(now + ms), message: `${ms}` })),
  );
  const at = (fraction: string): string => `${new Date(now).toISOString().slice(0, -5)}.${fraction}Z`;
  expect(await messages(call, record, `?before=${at('123456')}`)).toEqual(['123', '122']);
  expect(await messages(call, record, `?before=${at('123000')}`)).toEqual(['122']);
  expect(await messages(call, record, `?after=${at('123456')}`)).toEqual(['124']);
  expect(await messages(call, record, `?after=${at('122999')}&before=${at('1230001')}`)).toEqual(['123']);
});

test('only plugin configs have a log', async ({ call }) => {
  const { body } = await call('POST', '/pipeline_transformation_configs', { body: { plugin: 7 } });
  const otherFamily = await call<WireErrorBody>('GET', `/pipeline_transformation_configs/${body.id}/logs`);
  expect([otherFamily.status, otherFamily.body.detail]).toEqual([404, 'Endpoint not found.']);
  const elsewhere = await call<WireErrorBody>('GET', `/plugin_configs/${body.id}/logs`);
  expect([elsewhere.status, elsewhere.body.detail]).toEqual([404, 'Not found.']);
});

test('an entry can be read by its id, but only under its own record', async ({ call, service }) => {
  const [record, sibling] = [await newRecord(call), await newRecord(call)];
  const [own, other] = [entry(record, 3), entry(sibling, 3)];
  await store(service, [own, other, entry(record, 2)]);
  const get = (of: RecordRef, id: string, query = '') =>
    call<Wire<'logEntry'>>('GET', `/plugin_configs/${of.id}/logs/${id}${query}`);
  const { status, body } = await get(record, own.id.toUpperCase());
  expect([status, body]).toEqual([200, (await page(call, record)).results[1]]);
  const at = own.timestamp.toISOString();
  expect((await get(record, own.id, `/?timestamp=${at}`)).body).toEqual(body);
  for (const { status: missing } of [
    await get(record, other.id),
    await get(sibling, own.id),
    await get(record, randomUUID()),
    await get(record, 'x'),
    await get(record, own.id, `?timestamp=${new Date(0).toISOString()}`),
    await call('GET', `/pipeline_transformation_configs/${record.id}/logs/${own.id}`),
  ]) {
    expect(missing).toBe(404);
  }
  const rejected = await call<WireErrorBody>(
    'GET',
    `/plugin_configs/${record.id}/logs/${own.id}?timestamp=x`,
  );
  expect([rejected.status, rejected.body.attr]).toEqual([400, 'timestamp']);
});

test('the page around an entry has its offset, and its links continue from there', async ({
  call,
  service,
}) => {
  const record = await newRecord(call);
  const entries = Array.from({ length: 25 }, (_, i) => entry(record, i));
  await store(service, entries);
  const [, , , , , , , , , , , , twelfth] = entries;
  const id = twelfth?.id ?? '';
  const address = `${service.url}/api/projects/${record.projectId}/plugin_configs/${record.id}/logs`;
  expect(await page(call, record, `?around=${id}&limit=5&source=PLUGIN`)).toEqual({
    ...(await page(call, record, '?limit=5&offset=10&source=PLUGIN')),
    offset: 10,
    next: `${address}?source=PLUGIN&limit=5&offset=15`,
    previous: `${address}?source=PLUGIN&limit=5&offset=5`,
  });
  for (const [query, code] of [
    [`around=${id}&offset=0`, 'invalid_input'],
    [`around=${id}&offset=10`, 'invalid_input'],
    ['around=x', 'invalid_input'],
    [`around=${id}&around=${id}`, 'invalid_input'],
    [`around=${randomUUID()}`, 'does_not_exist'],
    [`around=${id}&type_filter=ERROR`, 'does_not_exist'],
  ]) {
    const rejected = await call<WireErrorBody>('GET', `/plugin_configs/${record.id}/logs?${query}`);
    expect([query, rejected.status, rejected.body.attr, rejected.body.code]).toEqual([
      query,
      400,
      'around',
      code,
    ]);
  }
});
