import { activityView, type WireActivityView, type WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';

test('the history stands beside the fields of the record, newest first', async ({ call }) => {
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
  const { status, body } = await call<WireActivityView>('GET', `${path}/activity`);
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

test('it comes in pages', async ({ call, service, project }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}`;
  for (const name of ['a', 'b', 'c']) await call('PATCH', path, { body: { name } });
  const { body } = await call<WireActivityView>('GET', `${path}/activity?limit=2&offset=1`);
  const address = `${service.url}/api/projects/${project.id}${path}/activity`;
  expect(body).toMatchObject({
    count: 4,
    next: `${address}?limit=2&offset=3`,
    previous: `${address}?limit=2`,
    results: [{ changes: [{ after: 'b' }] }, { changes: [{ after: 'a' }] }],
  });
  const refused = await call<WireErrorBody>('GET', `${path}/activity?limit=0`);
  expect([refused.status, refused.body.attr]).toEqual([400, 'limit']);
});

test('what is refused leaves no trace', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}`;
  await call('PATCH', path, { body: { order: -1 } });
  await call('PATCH', path, { body: { name: 'x' }, headers: { 'if-match': '"99-x"' } });
  await call('PUT', `${path}/config`, { body: '[]' });
  await call('POST', `${path}/job`, { body: { order: 'x' } });
  expect((await call<WireActivityView>('GET', `${path}/activity`)).body.count).toBe(1);
});
