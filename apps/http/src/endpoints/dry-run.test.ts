import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { follow } from '../testing/follow.ts';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const ALL = '/plugin_configs';

test('a dry run is marked, and has neither Location nor ETag', async ({ call }) => {
  const dryRun = await call('POST', `${ALL}?dry_run=true`, { body: { plugin: 7, name: 'Tried' } });
  expect(dryRun).toMatchObject({ status: 201, body: { plugin: 7, name: 'Tried', order: 1 } });
  const shown = ['dry-run', 'location', 'etag'].map((name) => dryRun.headers.get(name));
  expect(shown).toEqual(['true', null, null]);
  expect((await call('GET', `${ALL}/${dryRun.body.id}`)).status).toBe(404);
  const stored = await call('POST', `${ALL}?dry_run=false`, { body: { plugin: 7, name: 'Stored' } });
  expect(stored.headers.get('dry-run')).toBeNull();
  expect((await call('GET', `${ALL}/${stored.body.id}`)).status).toBe(200);
});

test.for([
  'dryrun=true',
  'dry-run=true',
  'dryRun=All',
  'DRY_RUN=false',
  'dry_run=',
  'dry_run=1',
  'dry_run=true&dry_run=true',
])('?%s is rejected for a write, which changes nothing, and ignored for a read', async (query, { call }) => {
  const { body } = await call('POST', ALL, { body: { plugin: 7 } });
  for (const [method, sent] of [
    ['PATCH', { name: 'Other' }],
    ['DELETE', undefined],
  ] as const) {
    const rejected = await call(method, `${ALL}/${body.id}?${query}`, { body: sent });
    expect(rejected).toMatchObject({ status: 400, body: { code: 'invalid_input', attr: 'dry_run' } });
  }
  expect((await call('GET', `${ALL}/${body.id}?${query}`)).body).toEqual(body);
});

test('a dry run requires the scope of the write and checks its conditions', async ({
  service,
  project,
  call,
}) => {
  const { body, headers } = await call('POST', ALL, { body: { plugin: 7 } });
  const { token } = await service.issueKey({ projectIds: [project.id], scopes: ['plugin:read'] });
  const path = `${ALL}/${body.id}?dry_run=true`;
  const change = { body: { name: 'Tried' } };
  expect((await call('PATCH', path, { ...change, token })).status).toBe(403);
  expect((await call('PATCH', path, { ...change, token: null })).status).toBe(401);
  const tag = headers.get('etag') ?? '';
  expect((await call('PATCH', path, { ...change, headers: { 'if-match': tag } })).status).toBe(200);
  expect((await call('PATCH', path, { ...change, headers: { 'if-match': '"other"' } })).status).toBe(412);
});

test('a dry run does not store its response under the Idempotency-Key, but replays a stored one', async ({
  call,
}) => {
  const request = { body: { plugin: 7 }, headers: { 'idempotency-key': 'one' } };
  await call('POST', `${ALL}?dry_run=true`, request);
  const first = await call('POST', ALL, request);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  const dryRun = await call('POST', `${ALL}?dry_run=true`, request);
  expect(dryRun.body).toEqual(first.body);
  expect([dryRun.headers.get('idempotent-replayed'), dryRun.headers.get('dry-run')]).toEqual([
    'true',
    'true',
  ]);
  const other = { ...request, body: { plugin: 8 } };
  expect((await call('POST', `${ALL}?dry_run=true`, other)).status).toBe(422);
});

test('concurrent dry runs with one Idempotency-Key each get the response of the write', async ({ call }) => {
  const { body: record } = await call('POST', ALL, { body: { plugin: 7 } });
  const path = `${ALL}/${record.id}`;
  const document = (name: string) => ({
    format: 1,
    manager: 'team',
    plugin_configs: [{ key: 'a', plugin: 7, name }],
  });
  const applied = async (name: string) => {
    const planned = { body: { document: document(name) } };
    const { base } = (await call<Wire<'plan'>>('POST', '/configuration/plan', planned)).body;
    return { ...planned.body, base };
  };
  const writes = [
    { to: ALL, bodies: [{ plugin: 7 }, { plugin: 8 }] },
    { to: `${path}/job`, bodies: [{ name: 'one' }, { name: 'other' }] },
    { to: `${path}/revisions/1/restore`, bodies: [undefined, undefined] },
    { to: '/configuration/apply', bodies: [await applied('one'), await applied('other')] },
  ];
  const headers = { 'idempotency-key': 'same' };
  for (const { to, bodies } of writes) {
    const sent = [...bodies, ...bodies].map((body) =>
      call('POST', `${to}?dry_run=true`, { headers, ...(body && { body }) }),
    );
    for (const response of await Promise.all(sent)) {
      expect([to, response.status, response.headers.get('idempotent-replayed')]).toEqual([
        to,
        to === ALL ? 201 : 200,
        null,
      ]);
    }
  }
});

test('changes are all stored during dry runs of the same record', async ({ call }) => {
  const { body: record } = await call('POST', ALL, { body: { plugin: 7 } });
  const path = `${ALL}/${record.id}`;
  const sent = Array.from({ length: 20 }, (_, n) =>
    n % 2 === 0
      ? call('PATCH', path, { body: { name: `stored ${n}` } })
      : call('PATCH', `${path}?dry_run=true`, { body: { name: `dry run ${n}` } }),
  );
  const responses = await Promise.all(sent);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(responses.map(({ body }) => body.name)).toEqual(
    responses.map((_, n) => (n % 2 === 0 ? `stored ${n}` : `dry run ${n}`)),
  );
  const { body } = await call<{ results: { activity: string }[] }>('GET', `${path}/activity?limit=100`);
  expect(body.results.filter(({ activity }) => activity === 'updated')).toHaveLength(10);
  expect((await call('GET', path)).body.name).toMatch(/^stored /);
});

test('concurrent dry runs do not affect the positions of new records', async ({ call }) => {
  const sent = Array.from({ length: 60 }, (_, n) =>
    call('POST', n % 2 === 0 ? ALL : `${ALL}?dry_run=true`, { body: { plugin: 7 } }),
  );
  const orders = (await Promise.all(sent)).filter((_, n) => n % 2 === 0).map(({ body }) => body.order);
  expect(orders.toSorted((a, b) => a - b)).toEqual(orders.map((_, n) => n + 1));
});

test('the token of a key issued in a dry run is rejected', async ({ service }) => {
  const { token } = await service.issueKey();
  const call = caller({ base: service.url, token });
  const body = { label: 'Tried', scopes: ['plugin:read'] };
  const dryRun = await call<{ token: string }>('POST', '/api/keys?dry_run=true', { body });
  expect(dryRun.status).toBe(201);
  expect((await call('GET', '/api/key', { token: dryRun.body.token })).status).toBe(401);
});

test('a stream sends no events for a dry run', async ({ service, project, call }) => {
  const { token } = await service.issueKey();
  const [first, second] = [
    (await call('POST', ALL, { body: { plugin: 7 } })).body.id,
    (await call('POST', ALL, { body: { plugin: 8 } })).body.id,
  ];
  await using stream = await follow(`${service.url}/api/projects/${project.id}${ALL}/stream`, { token });
  await call('PATCH', `${ALL}/${first}?dry_run=true`, { body: { name: 'Tried' } });
  await call('PATCH', `${ALL}/rearrange?dry_run=true`, { body: { plugin: 8, order: 1 } });
  await call('PATCH', `${ALL}/${second}`, { body: { name: 'Stored' } });
  const [event] = await stream.named(1);
  expect(event).toMatchObject({ event: 'record', data: { id: second } });
});
