import { activityView, type WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

test('the response contains the record and its history, newest first', async ({ call }) => {
  const { body: created } = await call('POST', '/plugin_configs', { body: { plugin: 7, name: 'a' } });
  const path = `/plugin_configs/${created.id}`;
  const steps = [
    ['PATCH', path, { name: 'b' }],
    ['PATCH', path, { enabled: true, order: 5 }],
    ['PATCH', path, { enabled: false }],
    ['PUT', `${path}/config`, { host: 'x' }],
    ['POST', `${path}/job`, { name: 'c' }],
    ['DELETE', path, {}],
    ['PATCH', path, { deleted: false }],
  ] as const;
  for (const [i, [method, where, body]] of steps.entries()) {
    await call(method, where, { body, headers: { 'x-request-id': `step-${i}` } });
  }
  const { body: record } = await call('GET', path);
  const { status, body } = await call<Wire<'activityView'>>('GET', `${path}/activity`);
  expect(status).toBe(200);
  expect(activityView.strict().parse(body)).toEqual(body);
  expect(body).toMatchObject({ ...record, count: 8, next: null, previous: null });
  expect(
    body.results
      .map(({ activity, request_id: id }) => [activity, id])
      .toReversed()
      .slice(1),
  ).toEqual([
    ['updated', 'step-0'],
    ['enabled', 'step-1'],
    ['disabled', 'step-2'],
    ['config_updated', 'step-3'],
    ['job_queued', 'step-4'],
    ['deleted', 'step-5'],
    ['restored', 'step-6'],
  ]);
  expect(body.results.at(-3)?.changes).toEqual([
    { field: 'enabled', before: false, after: true },
    { field: 'order', before: 1, after: 5 },
  ]);
  expect(body.results[0]?.actor).toEqual({ key_id: expect.any(Number), label: 'test key' });
});

test('the history is paginated', async ({ call, service, project }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}`;
  for (const name of ['a', 'b', 'c']) await call('PATCH', path, { body: { name } });
  const { body } = await call<Wire<'activityView'>>('GET', `${path}/activity?limit=2&offset=1`);
  const address = `${service.url}/api/projects/${project.id}${path}/activity`;
  expect(body).toMatchObject({
    count: 4,
    next: `${address}?limit=2&offset=3`,
    previous: `${address}?limit=2`,
    results: [{ changes: [{ after: 'b' }] }, { changes: [{ after: 'a' }] }],
  });
  const rejected = await call<WireErrorBody>('GET', `${path}/activity?limit=0`);
  expect([rejected.status, rejected.body.attr]).toEqual([400, 'limit']);
});

test('the history of a family can be filtered, and its links keep the filter', async ({
  call,
  service,
  project,
}) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  for (const enabled of [true, false, true]) {
    await call('PATCH', `/plugin_configs/${record.id}`, { body: { enabled } });
  }
  const address = `${service.url}/api/projects/${project.id}/plugin_configs/activity`;
  const get = (query: string) => call<Wire<'familyActivityPage'>>('GET', `/plugin_configs/activity?${query}`);
  const { body } = await get('activity=enabled&limit=1');
  expect(body).toMatchObject({ count: 2, next: `${address}?activity=enabled&limit=1&offset=1` });
  const { actor, created_at: at } = body.results[0] ?? {};
  const counted = async (query: string) => (await get(query)).body.count;
  expect(await counted(`actor=${actor?.key_id}`)).toBe(4);
  expect(await counted('actor=operator')).toBe(0);
  expect(await counted(`after=${at}`)).toBe(0);
  expect(await counted(`before=2001-01-01&activity=enabled`)).toBe(0);
  expect(await counted('record=1000000')).toBe(0);
  for (const [query, attr] of [
    ['actor=somebody', 'actor'],
    ['actor=0', 'actor'],
    ['activity=renamed', 'activity'],
    ['record=x', 'record'],
    ['after=yesterday', 'after'],
    ['record=1&record=2', 'record'],
  ] as const) {
    const rejected = await call<WireErrorBody>('GET', `/plugin_configs/activity?${query}`);
    expect([query, rejected.status, rejected.body.attr]).toEqual([query, 400, attr]);
  }
});
