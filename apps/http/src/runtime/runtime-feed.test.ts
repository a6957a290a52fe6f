import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { WireErrorBody } from '@plugin-config/contract';
import type { Project } from '@plugin-config/domain';
import { anAuthor } from '@plugin-config/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import { propertyRuns } from '../../../../tools/property-runs.ts';
import type { Call } from '../testing/caller.ts';
import { test, type IssuedKey, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const FEED = '/plugin_configs/runtime';
const FEED_OF_ALL = '/../../runtime/plugin_configs';
const CANARY = 'a canary in the configuration';
/** Part of the statement that reads the configurations, but not of the one for their version. */
const READS_CONFIGURATIONS = 'r.pinned_version, r.config';

const read = (call: Call, headers: Record<string, string> = {}, query = '') =>
  call<Wire<'runtimeConfiguration'>>('GET', FEED + query, { headers });

const metricsOf = async ({ url }: Service) => (await fetch(`${url}/metrics`)).text();

/** Creates a record of a plugin with a secret field. */
async function aRecordWithSecret(call: Call, plugin = 4242): Promise<string> {
  const config_schema = [
    { key: 'host', type: 'string' },
    { key: 'token', type: 'string', secret: true },
  ];
  await call('PUT', `/../../plugins/${plugin}`, { body: { name: 'GeoIP', config_schema } });
  const { body } = await call('POST', '/plugin_configs', { body: { plugin, enabled: true, name: 'Shop' } });
  const path = `/plugin_configs/${body.id}`;
  await call('PUT', `${path}/config`, { body: { host: 'a.example', token: CANARY } });
  return path;
}

test('a runtime gets the enabled records with their secrets, which are neither compressed nor cached', async ({
  call,
}) => {
  const path = await aRecordWithSecret(call);
  const reference = { $ref: 'env://TOKEN' };
  const { body: second } = await call('POST', '/plugin_configs', { body: { plugin: 9, enabled: true } });
  await call('PUT', `/plugin_configs/${second.id}/config`, {
    body: { token: reference, pad: 'x'.repeat(5000) },
  });
  await call('POST', '/plugin_configs', { body: { plugin: 9, name: 'disabled' } });
  const { status, body, headers } = await read(call, { 'accept-encoding': 'gzip, br' });
  expect(status).toBe(200);
  expect(body.results).toEqual([
    {
      id: Number(path.split('/').at(-1)),
      plugin: 4242,
      plugin_name: 'GeoIP',
      plugin_slug: null,
      plugin_version: '0',
      schema_version: 1,
      name: 'Shop',
      order: 1,
      valid: true,
      config_version: expect.any(Number),
      config: { host: 'a.example', token: CANARY },
    },
    {
      id: second.id,
      plugin: 9,
      plugin_name: null,
      plugin_slug: null,
      plugin_version: null,
      schema_version: 1,
      name: null,
      order: 2,
      valid: true,
      config_version: expect.any(Number),
      config: { token: reference, pad: 'x'.repeat(5000) },
    },
  ]);
  const shown = ['etag', 'cache-control', 'content-encoding'].map((name) => headers.get(name));
  expect(shown).toEqual([`"${body.version}"`, 'no-store', null]);
  expect((await call('GET', '/plugin_configs')).text).not.toContain(CANARY);
});

test('the version changes if and only if the results change', { timeout: 120_000 }, async ({ call }) => {
  const path = await aRecordWithSecret(call);
  const disabled = `/plugin_configs/${(await call('POST', '/plugin_configs', { body: { plugin: 9 } })).body.id}`;
  const some = (values: readonly unknown[]) => fc.constantFrom(...values);
  const change = fc.oneof(
    some(['a', 'b', null]).map((name) => ({ method: 'PATCH', to: path, body: { name } })),
    some(['a', 'b']).map((description) => ({ method: 'PATCH', to: path, body: { description } })),
    some([true, false]).map((enabled) => ({ method: 'PATCH', to: path, body: { enabled } })),
    some([1, 5]).map((order) => ({ method: 'PATCH', to: path, body: { order } })),
    some(['a', 'b']).map((name) => ({ method: 'PATCH', to: disabled, body: { name } })),
    some(['a', 'b']).map((host) => ({ method: 'PUT', to: `${path}/config`, body: { host } })),
    fc.nat(1).map((n) => ({ method: 'PUT', to: `${path}/config`, body: { token: `t${n}` } })),
    fc
      .constantFrom(1, 2)
      .map((n) => ({ method: 'POST', to: `${path}/revisions/${n}/restore`, body: undefined })),
    some(['One', 'Two']).map((name) => ({ method: 'PUT', to: '/../../plugins/4242', body: { name } })),
    some([{ name: 'b' }]).map((body) => ({ method: 'POST', to: `${path}/job`, body })),
  );
  let before = (await read(call)).body;
  const property = fc.asyncProperty(change, async ({ method, to, body }) => {
    expect((await call(method, to, { body })).status).toBeLessThan(300);
    const after = (await read(call)).body;
    const isSame = JSON.stringify(after.results) === JSON.stringify(before.results);
    expect([body, after.version === before.version]).toEqual([body, isSame]);
    before = after;
  });
  await fc.assert(property, { numRuns: propertyRuns(15), endOnFailure: true });
});

test('defaults reach the runtime where nothing else is set, also after a change and from a later registration', async ({
  call,
}) => {
  const register = (region: string) => {
    const config_schema = [
      { key: 'region', type: 'string', required: true, default: region },
      { key: 'token', type: 'string', secret: true, default: `${region}-${CANARY}` },
      { key: 'host', type: 'string' },
    ];
    return call('PUT', '/../../plugins/4242', { body: { name: 'GeoIP', config_schema } });
  };
  await register('eu');
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 4242, enabled: true } });
  const contents = async () => {
    const { body } = await read(call);
    return [body.version, body.results[0]?.config] as const;
  };
  const eu = { region: 'eu', token: `eu-${CANARY}` };
  const [first, config] = await contents();
  expect(config).toEqual(eu);
  await call('PUT', `/plugin_configs/${record.id}/config`, { body: { host: 'a' } });
  const [second, changed] = await contents();
  expect(changed).toEqual({ host: 'a', ...eu });
  await register('us');
  const [third, later] = await contents();
  expect(later).toEqual({ host: 'a', region: 'us', token: `us-${CANARY}` });
  expect(new Set([first, second, third]).size).toBe(3);
  await register('us');
  expect((await contents())[0]).toBe(third);
});

test('a poll without changes costs the access query and decrypts nothing', async ({ call, service }) => {
  await aRecordWithSecret(call);
  const etag = (await read(call)).headers.get('etag') ?? '';
  await read(call, { 'if-none-match': etag });
  service.statements.length = 0;
  const unchanged = await read(call, { 'if-none-match': etag });
  const headers = ['etag', 'cache-control'].map((name) => unchanged.headers.get(name));
  expect([unchanged.status, ...headers]).toEqual([304, etag, 'no-store']);
  expect((await read(call, { 'if-none-match': '*' }, '?wait=50')).status).toBe(304);
  expect(service.statements.filter((text) => !/last_used_at/.test(text))).toHaveLength(2);
});

test('a poll without changes does not pass the gate', async ({ call, service }) => {
  await aRecordWithSecret(call);
  const etag = (await read(call)).headers.get('etag') ?? '';
  const { take, give } = service.app.gate.permitsFor('page');
  const others = [1_000_001, 1_000_002, 1_000_003, 1_000_004];
  expect(others.map(take)).toEqual([true, true, true, true]);
  try {
    expect((await read(call, { 'if-none-match': etag })).status).toBe(304);
  } finally {
    for (const account of others) give(account);
  }
});

test.for([
  ['page', 0],
  ['large', 5],
] as const)(
  'changes are read with a permit for %s work, even after a wait',
  async ([work, pads], { call, service }) => {
    const path = await aRecordWithSecret(call);
    for (let n = 0; n < pads; n++) {
      const { body } = await call('POST', '/plugin_configs', { body: { plugin: 9, enabled: true } });
      await call('PUT', `/plugin_configs/${body.id}/config`, { body: { pad: 'x'.repeat(240_000) } });
    }
    const currentTag = { 'if-none-match': (await read(call)).headers.get('etag') ?? '' };
    const waiting = read(call, currentTag, '?wait=50');
    const metrics = () => metricsOf(service);
    await expect.poll(metrics).toContain('\nruntime_waits 1\n');
    const { take, give } = service.app.gate.permitsFor(work);
    const others = [1_000_001, 1_000_002, 1_000_003, 1_000_004].filter(take);
    try {
      await call('PATCH', path, { body: { name: 'Other' } });
      await expect.poll(metrics).toContain('\nruntime_waits 0\n');
      await expect.poll(metrics).toContain(`\ngate_waiting{work="${work}"} 1\n`);
    } finally {
      for (const account of others) give(account);
    }
    expect((await waiting).body.results[0]?.name).toBe('Other');
  },
);

test('requests wait until the version changes, but no longer than requested, and share one read', async ({
  call,
  service,
}) => {
  const path = await aRecordWithSecret(call);
  const currentTag = { 'if-none-match': (await read(call)).headers.get('etag') ?? '' };
  const start = performance.now();
  expect((await read(call, currentTag, '?wait=1')).status).toBe(304);
  expect(performance.now() - start).toBeGreaterThan(890);
  service.statements.length = 0;
  const waiting = Array.from({ length: 20 }, () => read(call, currentTag, '?wait=30'));
  const areWaiting = () => expect.poll(() => metricsOf(service)).toContain('\nruntime_waits 20\n');
  await areWaiting();
  await call('PATCH', path, { body: { description: 'not shown' } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await areWaiting();
  const changed = performance.now();
  await call('PUT', `${path}/config`, { body: { token: 'other' } });
  const found = await Promise.all(waiting);
  expect(performance.now() - changed).toBeLessThan(15_000);
  for (const { status, body } of found)
    expect([status, body.results[0]?.config]).toEqual([200, { token: 'other' }]);
  expect(service.statements.filter((text) => text.includes(READS_CONFIGURATIONS))).toHaveLength(1);
  expect((await read(call, {}, '?wait=30')).status).toBe(200);
});

test('an account has at most 1,000 waits, and a process 20,000', async ({ call, service, project }) => {
  await aRecordWithSecret(call);
  const { token, key } = await service.issueKey({ projectIds: [project.id], scopes: ['plugin_runtime'] });
  const etag = (await call('GET', FEED, { token })).headers.get('etag') ?? '';
  const { cursor } = (await call<Wire<'runtimeFeed'>>('GET', FEED_OF_ALL, { token })).body;
  const wait = () =>
    call<WireErrorBody>('GET', `${FEED}?wait=1`, { token, headers: { 'if-none-match': etag } });
  const waitForAll = () =>
    call<WireErrorBody>('GET', `${FEED_OF_ALL}?wait=1&after=${encodeURIComponent(cursor)}`, { token });
  const hold = (count: number, accountOf: (n: number) => number) => {
    const held = Array.from({ length: count }, (_, n) => service.app.gate.waits.reservation(accountOf(n)));
    expect(held.every((one) => one.take(1) === 'granted')).toBe(true);
    return { [Symbol.dispose]: () => held.forEach((one) => one.release()) };
  };
  {
    using _own = hold(999, () => key.accountId);
    const [one, other] = await Promise.all([wait(), wait()]);
    expect(new Set([one.status, other.status])).toEqual(new Set([304, 429]));
    const ofAll = await Promise.all([waitForAll(), waitForAll()]);
    expect(new Set(ofAll.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const { headers, body } = ofAll.find(({ status }) => status === 429) ?? ofAll[0];
    expect([headers.get('retry-after'), body.code]).toEqual(['15', 'throttled']);
  }
  {
    using _others = hold(19_999, (n) => 1_000_000 + n);
    for (const { status, headers, body } of [await wait(), await waitForAll()])
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '5', 'unavailable']);
  }
  expect((await wait()).status).toBe(304);
});

test('a wait ends with 401 when its key is revoked', async ({ call, service, project }) => {
  await aRecordWithSecret(call);
  const { token, key } = await service.issueKey({ projectIds: [project.id], scopes: ['plugin_runtime'] });
  const etag = (await call('GET', FEED, { token })).headers.get('etag') ?? '';
  const waiting = call('GET', `${FEED}?wait=50`, { token, headers: { 'if-none-match': etag } });
  await expect.poll(() => metricsOf(service)).toContain('\nruntime_waits 1\n');
  const start = performance.now();
  await service.ports.keys.revoke(key.id, null, anAuthor({ at: new Date() }));
  expect(await waiting).toMatchObject({ status: 401, body: { code: 'authentication_failed' } });
  expect(performance.now() - start).toBeLessThan(30_000);
});

test('a key revoked during a wait does not get later changes', async ({ call, service, project }) => {
  const path = await aRecordWithSecret(call);
  const { token, key } = await service.issueKey({ projectIds: [project.id], scopes: ['plugin_runtime'] });
  const etag = (await call('GET', FEED, { token })).headers.get('etag') ?? '';
  const waiting = call('GET', `${FEED}?wait=50`, { token, headers: { 'if-none-match': etag } });
  await expect.poll(() => metricsOf(service)).toContain('\nruntime_waits 1\n');
  await service.ports.keys.revoke(key.id, null, anAuthor({ at: new Date() }));
  await call('PUT', `${path}/config`, { body: { token: 'hunter2' } });
  const { status, text } = await waiting;
  expect([status, text.includes('hunter2')]).toEqual([401, false]);
});

/** Sends a poll and reads nothing of its response. */
function unreadPoll(service: Service, project: Project, { token }: IssuedKey): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const path = `/api/projects/${project.id}${FEED}`;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

/** The configurations of these enabled records are together larger than the buffers of a connection. */
const UNREAD_RECORDS = 24;

/** Creates the records, and returns the path of one of them. */
async function largeFamily(call: Call): Promise<string> {
  let path = '';
  for (let n = 0; n < UNREAD_RECORDS; n++) {
    const { body } = await call('POST', '/plugin_configs', { body: { plugin: 9, enabled: true } });
    path = `/plugin_configs/${body.id}`;
    await call('PUT', `${path}/config`, { body: { pad: 'x'.repeat(240_000) } });
  }
  return path;
}

test(
  'an unread response of an earlier state is never sent for a later one',
  {
    timeout: 60_000,
  },
  async ({ call, service, project }) => {
    const path = await largeFamily(call);
    const { version } = (await read(call)).body;
    const { take, give } = service.app.gate.permitsFor('large');
    const others = [1_000_001, 1_000_002, 1_000_003, 1_000_004].filter(take);
    const slow = unreadPoll(service, project, await service.issueKey());
    try {
      // It wants the version with the enabled record, but reads after the record is disabled.
      await expect
        .poll(() => metricsOf(service), { timeout: 30_000 })
        .toContain('\ngate_waiting{work="large"} 1\n');
      await call('PATCH', path, { body: { enabled: false } });
      for (const account of others.splice(0)) give(account);
      await once(slow, 'readable');
      await call('PATCH', path, { body: { enabled: true } });
      const found = (await read(call)).body;
      expect([found.version, found.results.length]).toEqual([version, UNREAD_RECORDS]);
      await call('PATCH', path, { body: { enabled: false } });
      expect((await read(call)).body.results).toHaveLength(UNREAD_RECORDS - 1);
    } finally {
      for (const account of others) give(account);
      slow.destroy();
    }
  },
);

test('the list of runtimes shows which have the current version', async ({ call }) => {
  const path = await aRecordWithSecret(call);
  const { version } = (await read(call)).body;
  await call('PUT', '/plugin_configs/runtimes/shop-1', { body: { version, status: 'applied' } });
  const current = async () =>
    (await call<Wire<'runtimePage'>>('GET', '/plugin_configs/runtimes')).body.results.map(
      (one) => one.current,
    );
  expect(await current()).toEqual([true]);
  await call('PUT', `${path}/config`, { body: { token: 'other' } });
  expect(await current()).toEqual([false]);
});

test('sending the same secret again changes the record, but not the version for runtimes', async ({
  call,
}) => {
  const path = await aRecordWithSecret(call);
  const before = { ...(await read(call)).body, record: (await call('GET', path)).headers.get('etag') };
  expect((await call('PUT', `${path}/config`, { body: { token: CANARY, host: 'a.example' } })).status).toBe(
    200,
  );
  expect((await call('GET', path)).headers.get('etag')).not.toBe(before.record);
  expect((await read(call)).body.version).toBe(before.version);
});

test('too many enabled records are rejected', { timeout: 60_000 }, async ({ call, database, project }) => {
  const { body } = await call('POST', '/plugin_configs', { body: { plugin: 9, enabled: true } });
  const etag = (await read(call)).headers.get('etag') ?? '';
  expect(etag).not.toBe('');
  const columns = (
    await database.pool.query(
      `select string_agg(column_name, ', ') as names from information_schema.columns
       where table_name = 'config_record' and column_name <> 'id'`,
    )
  ).rows[0].names;
  await database.pool.query(
    `insert into config_record (${columns}) select ${columns} from config_record, generate_series(1, 5000) where id = $1`,
    [body.id],
  );
  await call('PATCH', `/plugin_configs/${body.id}`, { body: { name: 'new' } });
  expect(await call('GET', FEED)).toMatchObject({ status: 400, body: { code: 'too_large' } });
  await call('PUT', '/plugin_configs/runtimes/shop-1', { body: { version: 'v', status: 'applied' } });
  const { body: page } = await call<Wire<'runtimePage'>>('GET', '/plugin_configs/runtimes');
  expect(page.results).toMatchObject([{ current: false }]);
  await database.pool.query('delete from config_record where project_id = $1 and id <> $2', [
    project.id,
    body.id,
  ]);
});
