import type { WireRestoredRecord } from '@plugin-config/contract';
import { registerPlugin } from '@plugin-config/domain';
import { anAuthor, aPlugin } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const CANARY = 'canary-of-a-secret';
const TOKEN = { key: 'token', type: 'string', secret: true } as const;
const HOST = { key: 'host', type: 'string' } as const;

test('each change to the name, description or configuration creates a revision with its author and request', async ({
  call,
}) => {
  const { body: record } = await call('POST', '/plugin_configs', {
    body: { plugin: 7, name: 'First' },
    headers: { 'x-request-id': 'create' },
  });
  const path = `/plugin_configs/${record.id}`;
  await call('PATCH', path, { body: { enabled: true, order: 5 } });
  await call('PATCH', path, {
    body: { name: 'Second', enabled: false },
    headers: { 'x-request-id': 'rename' },
  });
  await call('PATCH', path, { body: { name: 'Second' } });
  await call('PUT', `${path}/config`, { body: { a: 1 }, headers: { 'x-request-id': 'configure' } });
  const { body } = await call<Wire<'revisionPage'>>('GET', `${path}/revisions`);
  expect(body).toMatchObject({
    count: 3,
    next: null,
    previous: null,
    results: [
      { number: 3, request_id: 'configure', name: 'Second', config: '{"a":1}' },
      { number: 2, request_id: 'rename', name: 'Second', config: '{}' },
      {
        number: 1,
        request_id: 'create',
        name: 'First',
        description: null,
        config: '{}',
        created_at: record.created_at,
      },
    ],
  });
  expect(body.results[0]?.actor.key_id).toBeGreaterThan(0);
  const { body: one } = await call<Wire<'revision'>>('GET', `${path}/revisions/2`);
  expect(one).toEqual(body.results[1]);
  const { body: page } = await call<Wire<'revisionPage'>>('GET', `${path}/revisions?limit=1&offset=1`);
  expect([page.results, page.next?.split('?')[1]]).toEqual([[one], 'limit=1&offset=2']);
});

test('restoring creates a new revision, and does not change the plugin, the order or enabled', async ({
  call,
}) => {
  const { body: record } = await call('POST', '/plugin_configs', {
    body: { plugin: 7, name: 'First', description: 'Text' },
  });
  const path = `/plugin_configs/${record.id}`;
  await call('PUT', `${path}/config`, { body: { a: 1, b: [1.5] } });
  await call('PATCH', path, {
    body: { plugin: 8, enabled: true, order: 9, name: null, description: 'Other' },
  });
  const { body: before } = await call('PUT', `${path}/config`, { body: { c: 'x' } });
  const { status, body, headers } = await call<WireRestoredRecord>('POST', `${path}/revisions/2/restore`);
  expect(status).toBe(200);
  const { missing_secrets: missing, ...restored } = body;
  expect(restored).toEqual({
    ...before,
    name: 'First',
    description: 'Text',
    config: '{"a":1,"b":[1.5]}',
    updated_at: restored.updated_at,
  });
  expect(missing).toEqual([]);
  expect((await call('GET', path)).body).toEqual(restored);
  const { body: list } = await call<Wire<'revisionPage'>>('GET', `${path}/revisions`);
  expect(list.results.map(({ number, name }) => [number, name])).toEqual([
    [5, 'First'],
    [4, null],
    [3, null],
    [2, 'First'],
    [1, 'First'],
  ]);
  const { body: activity } = await call<Wire<'activityView'>>('GET', `${path}/activity?limit=1`);
  expect(activity.results[0]).toMatchObject({
    activity: 'config_updated',
    changes: [
      { field: 'name', before: null, after: 'First' },
      { field: 'description', before: 'Other', after: 'Text' },
      { field: 'config.c', before: 'x', after: null },
      { field: 'config.a', before: null, after: 1 },
      { field: 'config.b', before: null, after: [1.5] },
    ],
  });
  const again = await call('PATCH', path, {
    body: { enabled: false },
    headers: { 'if-match': headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(200);
});

test('a restore with an outdated If-Match returns 412, and so does one of two concurrent restores', async ({
  call,
}) => {
  const { body: record, headers } = await call('POST', '/plugin_configs', {
    body: { plugin: 7, name: 'First' },
  });
  const path = `/plugin_configs/${record.id}`;
  const outdated = { headers: { 'if-match': headers.get('etag') ?? '' } };
  const renamed = await call('PATCH', path, { body: { name: 'Second' } });
  expect((await call('POST', `${path}/revisions/1/restore`, outdated)).status).toBe(412);
  expect((await call('GET', path)).body.name).toBe('Second');
  const current = { headers: { 'if-match': renamed.headers.get('etag') ?? '' } };
  const both = await Promise.all([1, 1].map(() => call('POST', `${path}/revisions/1/restore`, current)));
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
});

test('restoring does not change secrets, lists missing ones, and shows none', async ({ call, service }) => {
  await registerPlugin(service.ports, aPlugin({ id: 71, configSchema: [HOST, TOKEN] }), anAuthor());
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 71 } });
  const path = `/plugin_configs/${record.id}`;
  const currentToken = async () => {
    const ref = { projectId: record.team_id, family: 'plugin_configs', id: record.id } as const;
    return JSON.parse((await service.ports.configurationValues.of(ref))?.values ?? '').token;
  };
  await call('PUT', `${path}/config`, { body: { host: 'a', token: `${CANARY}-1` } });
  await call('PUT', `${path}/config`, { body: { host: 'b', token: `${CANARY}-2` } });
  const complete = await call<WireRestoredRecord>('POST', `${path}/revisions/2/restore`);
  expect(complete.body).toMatchObject({ config: '{"host":"a","token":"********"}', missing_secrets: [] });
  expect(await currentToken()).toBe(`${CANARY}-2`);
  await call('PUT', `${path}/config`, { body: { host: 'c', token: '' } });
  const incomplete = await call<WireRestoredRecord>('POST', `${path}/revisions/2/restore`);
  expect(incomplete.body).toMatchObject({ config: '{"host":"a"}', missing_secrets: ['token'] });
  const shown = [
    complete.body,
    incomplete.body,
    (await call('GET', `${path}/revisions`)).body,
    (await call('GET', `${path}/revisions/3`)).body,
    (await call('GET', `${path}/activity`)).body,
  ];
  expect(JSON.stringify(shown)).not.toContain(CANARY);
  expect(JSON.stringify(shown)).toContain('********');
});
