import { once } from 'node:events';
import { connect } from 'node:net';
import type { WireErrorBody } from '@plugin-config/contract';
import type { Project, Scope } from '@plugin-config/domain';
import { anAuthor } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { test as base, type IssuedKey, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const FEED = '/api/runtime/plugin_configs';
const RUNTIME: readonly Scope[] = ['plugin_runtime', 'plugin:write'];

/** Three projects, a key for them alone, and what it calls. */
interface Tenants {
  readonly projects: readonly [Project, Project, Project];
  readonly key: IssuedKey;
  readonly call: Call;
}

const test = base.extend<{ tenants: Tenants }>({
  tenants: async ({ service }, use) => use(await someTenants(service)),
});

async function someTenants(service: Service): Promise<Tenants> {
  const add = async (n: number) => {
    const draft = { name: `Tenant ${n}`, externalId: `tenant-${n}-${crypto.randomUUID()}` };
    return service.ports.projects.create(draft, anAuthor({ at: new Date() }));
  };
  const projects = [await add(1), await add(2), await add(3)] as const;
  const key = await service.issueKey({ projectIds: projects.map(({ id }) => id), scopes: RUNTIME });
  return { projects, key, call: caller({ base: service.url, token: key.token }) };
}

/** Creates an enabled record. Returns its path. */
async function addRecord(call: Call, { id }: Project, token: string, plugin = 7): Promise<string> {
  const path = `/api/projects/${id}/plugin_configs`;
  const { body } = await call('POST', path, { body: { plugin, enabled: true } });
  await call('PUT', `${path}/${body.id}/config`, { body: { token } });
  return `${path}/${body.id}`;
}

async function read(call: Call, query = '', token?: string) {
  const found = await call<Wire<'runtimeFeed'>>('GET', FEED + query, token === undefined ? {} : { token });
  expect(found).toMatchObject({ status: 200 });
  return found.body;
}

const after = ({ cursor }: Wire<'runtimeFeed'>): string => `?after=${encodeURIComponent(cursor)}`;

const shown = ({ projects }: Wire<'runtimeFeed'>) =>
  projects.map(({ project_id, results }) => [project_id, results?.map(({ config }) => config['token'])]);

test('the feed has every project of the key with an enabled record, then whole projects that have changed', async ({
  tenants: { call, projects },
}) => {
  const [a, b, c] = projects;
  const path = await addRecord(call, a, 'a1');
  await addRecord(call, b, 'b1');
  const first = await read(call);
  expect(first).toMatchObject({ more: false, reset: false, gone: [] });
  expect(first.projects.map((one) => one.external_id)).toEqual([a.externalId, b.externalId]);
  expect(shown(first)).toEqual([
    [a.id, ['a1']],
    [b.id, ['b1']],
  ]);
  const single = await call<Wire<'runtimeFeed'>>('GET', `/api/projects/${a.id}/plugin_configs/runtime`);
  expect(first.projects[0]).toMatchObject(single.body);
  expect(first.projects[0]?.results?.[0]).toMatchObject({ plugin: 7, config_version: expect.any(Number) });

  const unchanged = await read(call, after(first));
  expect(unchanged).toMatchObject({ projects: [], gone: [], more: false, reset: false });
  await call('PUT', `${path}/config`, { body: { token: 'a2' } });
  await addRecord(call, c, 'c1');
  const second = await read(call, after(unchanged));
  expect(shown(second)).toEqual([
    [a.id, ['a2']],
    [c.id, ['c1']],
  ]);
  await call('PATCH', path, { body: { enabled: false } });
  expect(shown(await read(call, after(second)))).toEqual([[a.id, []]]);
  expect(shown(await read(call))).toEqual([
    [b.id, ['b1']],
    [c.id, ['c1']],
  ]);
});

test('a request waits for a change to a project of its key, and for no other', async ({
  service,
  tenants: { call, projects },
}) => {
  const [a] = projects;
  const path = await addRecord(call, a, 'a1');
  const first = await read(call);
  const start = performance.now();
  const other = await someTenants(service);
  const waiting = read(call, `${after(first)}&wait=1`);
  await addRecord(other.call, other.projects[0], 'other');
  const empty = await waiting;
  expect(performance.now() - start).toBeGreaterThan(850);
  expect(empty).toMatchObject({ projects: [], gone: [], more: false, reset: false });
  const woken = read(call, `${after(empty)}&wait=50`);
  await expect
    .poll(async () => (await fetch(`${service.url}/metrics`)).text())
    .toContain('\nruntime_waits 1\n');
  await call('PUT', `${path}/config`, { body: { token: 'a2' } });
  expect(shown(await woken)).toEqual([[a.id, ['a2']]]);
});

test('a deleted project is gone for the keys and tokens that had it', async ({
  service,
  tenants: { call, projects },
}) => {
  const [a, b] = projects;
  for (const project of [a, b]) await addRecord(call, project, 'x');
  const other = await someTenants(service);
  const everyone = caller({ base: service.url, token: (await service.issueKey()).token });
  const tokens = await Promise.all(
    [a, b].map(async ({ id }) => {
      const body = { scopes: ['plugin_runtime'], project_ids: [id] };
      const { token } = (await call<{ token: string }>('POST', '/api/tokens', { body })).body;
      return caller({ base: service.url, token });
    }),
  );
  const callers = [call, other.call, everyone, ...tokens];
  const before = await Promise.all(callers.map(async (one) => read(one)));
  expect((await everyone('DELETE', `/api/projects/${b.id}`, { body: { name: b.name } })).status).toBe(202);
  const found = await Promise.all(
    callers.map(async (one, i) => read(one, after(before[i] as Wire<'runtimeFeed'>))),
  );
  const gone = { project_id: b.id, external_id: b.externalId };
  expect(found.map((one) => one.gone)).toEqual([[gone], [], [gone], [], [gone]]);
});

test('filters by plugin and shard, and versions alone', async ({ tenants: { call, projects } }) => {
  const [a, b] = projects;
  await addRecord(call, a, 'a7', 7);
  await addRecord(call, a, 'a8', 8);
  const path = await addRecord(call, b, 'b8', 8);
  expect(await read(call, '?plugin=slug:nobody-has-it')).toMatchObject({ projects: [], more: false });
  const seven = await read(call, '?plugin=7');
  expect(shown(seven)).toEqual([[a.id, ['a7']]]);
  expect(seven.projects[0]?.version).not.toBe((await read(call)).projects[0]?.version);
  await call('PUT', `${path}/config`, { body: { token: 'b9' } });
  expect(await read(call, `${after(seven)}&plugin=7`)).toMatchObject({ projects: [], reset: false });
  const shards = await Promise.all([0, 1].map(async (k) => read(call, `?shard=${k}/2`)));
  for (const [k, { projects: found }] of shards.entries())
    expect(found.every(({ project_id }) => project_id % 2 === k)).toBe(true);
  expect(shards.flatMap((one) => shown(one))).toHaveLength(2);
  const versions = await read(call, '?content=false');
  const whole = await read(call, after(versions));
  const versionsOf = ({ projects: found }: Wire<'runtimeFeed'>) =>
    found.map((one) => [one.project_id, one.version]);
  expect(versions.projects.every((one) => one.results === undefined)).toBe(true);
  expect(versionsOf(versions)).toEqual(versionsOf(await read(call)));
  expect(whole).toMatchObject({ projects: [], reset: false });
});

test('an unknown cursor starts from the beginning, and a malformed one is rejected', async ({
  service,
  tenants: { call, projects, key },
}) => {
  await addRecord(call, projects[0], 'a1');
  const first = await read(call);
  const { token } = await service.issueKey({ projectIds: key.key.projectIds, scopes: RUNTIME });
  const [timeline = '', reader = ''] = first.cursor.split('.');
  const ahead = [timeline, reader, '0', '99999999-7-zzzzzz-0'].join('.');
  const others = await Promise.all([
    read(call, after(first), token),
    read(call, `${after(first)}&plugin=7`),
    read(call, after({ ...first, cursor: first.cursor.replace(timeline, 'abcdefgh') })),
    read(call, `?after=${ahead}`),
  ]);
  for (const one of others)
    expect(one).toMatchObject({ reset: true, projects: [{ project_id: projects[0].id }] });
  for (const cursor of [
    'x',
    '%00',
    `${timeline}.`,
    `${timeline}.${reader}.0.1-2`,
    'a'.repeat(8000),
    `${first.cursor}-0-0`,
  ]) {
    const rejected = await call<WireErrorBody>('GET', `${FEED}?after=${cursor}`);
    expect([cursor, rejected.status, rejected.body.attr]).toEqual([cursor, 400, 'after']);
  }
  for (const [query, attr] of [
    ['shard=1/1', 'shard'],
    ['shard=0/1025', 'shard'],
    ['plugin=0', 'plugin'],
    ['plugin=99999999999', 'plugin'],
    ['wait=51', 'wait'],
    ['content=maybe', 'content'],
  ]) {
    const rejected = await call<WireErrorBody>('GET', `${FEED}?${query}`);
    expect([query, rejected.status, rejected.body.attr]).toEqual([query, 400, attr]);
  }
});

test('projects are read by id, and what the key cannot read is gone', async ({
  service,
  tenants: { call, projects },
}) => {
  const [a, b] = projects;
  await addRecord(call, a, 'a1');
  const other = await someTenants(service);
  const foreign = other.projects[0];
  const refs = [b.id, `ext:${a.externalId}`, foreign.id, `ext:${foreign.externalId}`, 'ext:nobody', 10 ** 15];
  const { status, body } = await call<Wire<'runtimeProjects'>>('POST', `${FEED}/read`, {
    body: { projects: refs },
  });
  expect(status).toBe(200);
  expect(body.projects.map(({ project_id, results }) => [project_id, results?.length])).toEqual([
    [b.id, 0],
    [a.id, 1],
  ]);
  expect(body.gone).toEqual([
    { project_id: foreign.id, external_id: null },
    { project_id: null, external_id: foreign.externalId },
    { project_id: null, external_id: 'nobody' },
    { project_id: 10 ** 15, external_id: null },
  ]);
  for (const wrong of [[], ['a'], [0], Array.from({ length: 251 }, (_, n) => n + 1)]) {
    const rejected = await call<WireErrorBody>('POST', `${FEED}/read`, { body: { projects: wrong } });
    expect([rejected.status, rejected.body.attr?.split('.')[0]]).toEqual([400, 'projects']);
  }
});

test('a revoked key ends the wait, and gets no later change', async ({
  service,
  tenants: { call, projects, key },
}) => {
  const path = await addRecord(call, projects[0], 'a1');
  const first = await read(call);
  const waiting = call('GET', `${FEED}${after(first)}&wait=50`);
  await expect
    .poll(async () => (await fetch(`${service.url}/metrics`)).text())
    .toContain('\nruntime_waits 1\n');
  const { token } = await service.issueKey();
  await service.ports.keys.revoke(key.key.id, null, anAuthor({ at: new Date() }));
  await call('PUT', `${path}/config`, { body: { token: 'hunter2' }, token });
  const { status, text } = await waiting;
  expect([status, text.includes('hunter2')]).toEqual([401, false]);
});

/** Returns how the runtimes of a project are listed to its own key. */
async function listed({ call }: Tenants, { id }: Project) {
  const { body } = await call<Wire<'runtimePage'>>('GET', `/api/projects/${id}/plugin_configs/runtimes`);
  return body.results;
}

test('the projects that a host serves list it, with what it has read and which of their records failed', async ({
  service,
  tenants,
}) => {
  const { call, projects } = tenants;
  const [a, b, c] = projects;
  const path = await addRecord(call, a, 'a1');
  const id = Number(path.split('/').at(-1));
  await addRecord(call, b, 'b1', 4545);
  const other = await someTenants(service);
  const report = async (fields: object) => {
    const body = { status: 'applied', labels: { region: 'eu' }, ...fields };
    expect((await call('PUT', `${FEED}/instances/host-1`, { body })).status).toBe(204);
  };
  const { cursor } = await read(call);
  const plugins = { 4545: { version: '1.0', schemas: [1] } };
  await report({ cursor, plugins });
  for (const project of projects)
    expect(await listed(tenants, project)).toMatchObject([
      { instance: 'host-1', version: null, current: true, online: true, status: 'applied', plugins },
    ]);
  expect(await listed(other, other.projects[0])).toEqual([]);

  await call('PUT', `${path}/config`, { body: { token: 'a2' } });
  const currents = async () =>
    (await Promise.all([a, b, c].map((one) => listed(tenants, one)))).map(([one]) => one?.current);
  expect(await currents()).toEqual([false, true, true]);
  const everyone = caller({ base: service.url, token: (await service.issueKey()).token });
  await everyone('PUT', '/api/plugins/4545', { body: { name: 'Other' } });
  expect(await currents()).toEqual([false, false, true]);

  const foreign = await addRecord(other.call, other.projects[0], 'x');
  const failed = [
    { project_id: a.id, id, error: 'The token was rejected.' },
    { project_id: other.projects[0].id, id: Number(foreign.split('/').at(-1)), error: 'x' },
    { project_id: b.id, id, error: 'not of this project' },
  ];
  const next = await read(call, after({ cursor } as Wire<'runtimeFeed'>));
  await report({ cursor: next.cursor, status: 'failed', error: 'Two failed.', failed });
  expect(await listed(tenants, a)).toMatchObject([
    { current: true, status: 'failed', error: null, failed: [{ id, error: 'The token was rejected.' }] },
  ]);
  expect(await listed(tenants, b)).toMatchObject([
    { current: true, status: 'applied', error: null, failed: [] },
  ]);
  await report({ cursor: next.cursor, status: 'failed', error: 'Out of memory.' });
  expect(await listed(tenants, b)).toMatchObject([{ status: 'failed', error: 'Out of memory.' }]);
  // All failures of this report are dropped: their project may have been deleted in the meantime.
  await report({ cursor: next.cursor, status: 'failed', error: 'One failed.', failed: failed.slice(1, 2) });
  expect(await listed(tenants, b)).toMatchObject([{ status: 'applied', error: null }]);

  // Positions of before a crash, and of the future.
  const [registered = '', recovery = '', ...snapshot] = next.cursor.split('.').at(-1)?.split('-') ?? [];
  for (const position of [
    [registered, '7', ...snapshot],
    [registered, recovery, 'zzzzzzz', '0'],
  ]) {
    await report({ cursor: next.cursor.replace(/[^.]+$/, position.join('-')) });
    expect([position, ...(await currents())]).toEqual([position, false, false, false]);
  }
});

test.for([
  [{ status: 'applied' }, 'cursor', 'required'],
  [{ cursor: 'x', status: 'applied' }, 'cursor', 'invalid_input'],
  [{ cursor: '', status: 'applied' }, 'cursor', 'blank'],
  [{ cursor: 'a.b.0.0-7-1-0', status: 'other' }, 'status', 'invalid_input'],
  [
    { cursor: 'a.b.0.0-7-1-0', status: 'failed', failed: [{ id: 1, error: 'x' }] },
    'failed.0.project_id',
    'required',
  ],
] as const)('the report %j is rejected', async ([body, attr, code], { tenants: { call } }) => {
  const rejected = await call<WireErrorBody>('PUT', `${FEED}/instances/one`, { body });
  expect(rejected).toMatchObject({ status: 400, body: { attr, code } });
});

test('what is still being sent is never sent for a later state', async ({ service, tenants }) => {
  const { call, projects, key } = tenants;
  const path = `/api/projects/${projects[0].id}/plugin_configs`;
  for (let n = 0; n < 14; n++) {
    const { body } = await call('POST', path, { body: { plugin: 9, enabled: true } });
    await call('PUT', `${path}/${body.id}/config`, { body: { pad: 'x'.repeat(240_000) } });
  }
  const record = await addRecord(call, projects[1], 'old');
  const { hostname, port } = new URL(service.url);
  const slow = connect(Number(port), hostname).on('error', () => undefined);
  slow.write(`GET ${FEED} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key.token}\r\n\r\n`);
  try {
    await once(slow, 'readable');
    const tokens = async () =>
      (await read(call)).projects.find((one) => one.project_id === projects[1].id)?.results?.[0]?.config;
    expect(await tokens()).toEqual({ token: 'old' });
    await call('PUT', `${record}/config`, { body: { token: 'new' } });
    expect(await tokens()).toEqual({ token: 'new' });
    await call('PUT', `${record}/config`, { body: { token: 'old' } });
    expect(await tokens()).toEqual({ token: 'old' });
  } finally {
    slow.destroy();
  }
});
