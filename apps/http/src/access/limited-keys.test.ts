import type { WireConfigRecord } from '@plugin-config/contract';
import { anAuthor } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { createItems, exampleBody, OPERATIONS, pathOf } from '../testing/mounted-endpoints.ts';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const SECRET = 'only runtimes of another plugin read this';
const [OWN, OTHER] = [4801, 4802];
const ALL = '/plugin_configs';
const FEED = '/../../runtime/plugin_configs';

/** The operations of a key with all scopes for runtimes. For a new one, add a test below that a limit narrows it. */
const NARROWED = new Set([
  'retrieve_{one}_runtime',
  'report_{one}_runtime',
  'read_{one}_feed',
  'read_{one}_feed_projects',
  'report_{one}_host',
  'write_back_{one}',
  'claim_{one}_jobs',
  'renew_{one}_job',
  'end_{one}_job',
]);

interface Tenant {
  readonly limited: Call;
  readonly own: WireConfigRecord;
  readonly other: WireConfigRecord;
}

/** A project with a record of each of two plugins, and a runtime that is limited to one of them. */
async function aTenant(service: Service, projectId: number, call: Call): Promise<Tenant> {
  const { token } = await service.issueKey({
    scopes: ['plugin_runtime', 'plugin_log:write'],
    projectIds: [projectId],
    pluginIds: [OWN],
  });
  const attach = async (plugin: number, name: string) =>
    (await call('POST', ALL, { body: { plugin, name, enabled: true, config: { name } } })).body;
  return {
    limited: caller({ base: `${service.url}/api/projects/${projectId}`, token }),
    own: await attach(OWN, 'Own'),
    other: await attach(OTHER, SECRET),
  };
}

test('a limited key reaches only operations that are about no record, or narrowed to its plugins', async ({
  service,
  project,
  call,
}) => {
  const { limited, other } = await aTenant(service, project.id, call);
  const items = await createItems(call);
  const ids = { project: project.id, record: other.id, job: crypto.randomUUID(), plugin: OTHER, ...items };
  for (const operation of OPERATIONS) {
    const { scope, operationId, method } = operation.endpoint;
    if (operation.endpoint.needs === 'page' || NARROWED.has(operationId)) continue;
    const url = new URL(pathOf(operation, ids), service.url);
    const body = exampleBody(operation, null);
    const { status, text } = await limited(method, `/../../..${url.pathname}`, {
      ...body,
    });
    expect(text).not.toContain(SECRET);
    if (scope !== null) expect([operation.title, status]).toEqual([operation.title, 403]);
  }
});

test('a limited key learns of no project without a record of its plugins', async ({ service }) => {
  const { token } = await service.issueKey({ scopes: ['plugin_runtime'], pluginIds: [OWN] });
  const key = await service.issueKey();
  const limited = caller({ base: `${service.url}/api`, token });
  const create = async (plugin: number) => {
    const externalId = `of-${plugin}-${crypto.randomUUID()}`;
    const { id } = await service.ports.projects.create({ name: externalId, externalId }, anAuthor());
    const call = caller({ base: `${service.url}/api/projects/${id}`, token: key.token });
    const { body } = await call('POST', ALL, { body: { plugin } });
    return { id, externalId, detach: () => call('DELETE', `${ALL}/${body.id}`) };
  };
  const [own, other] = [await create(OWN), await create(OTHER)];
  const named = async ({ id, externalId }: typeof own) => {
    const { body: list } = await limited<Wire<'projectPage'>>('GET', `/projects?external_id=${externalId}`);
    const one = await limited('GET', `/projects/${id}`);
    const body = { projects: [id] };
    const { body: read } = await limited<Wire<'runtimeFeed'>>('POST', '/runtime/plugin_configs/read', {
      body,
    });
    return [list.count, one.status, read.projects.length, read.gone.length];
  };
  expect(await named(own)).toEqual([1, 200, 1, 0]);
  expect(await named(other)).toEqual([0, 404, 0, 1]);
  await own.detach();
  expect(await named(own)).toEqual([0, 404, 0, 1]);
});

test('a limited key reads the records of its plugins alone, in each feed', async ({
  service,
  project,
  call,
}) => {
  const { limited, own, other } = await aTenant(service, project.id, call);
  const feed = () => limited<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime`);
  const before = await feed();
  expect(before.body.results.map(({ id }) => id)).toEqual([own.id]);
  const whole = await call<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime`);
  expect(whole.body.results.map(({ id }) => id)).toEqual([own.id, other.id]);
  expect(whole.body.version).not.toBe(before.body.version);
  // Both are cached now, each for its own reader.
  expect([(await feed()).body, (await call('GET', `${ALL}/runtime`)).body]).toEqual([
    before.body,
    whole.body,
  ]);

  for (const query of [
    '',
    `?plugin=${OWN}`,
    `?plugin=${OTHER}`,
    `?plugin=${OWN}&plugin=${OTHER}`,
    '?content=false',
  ]) {
    const { status, body, text } = await limited<Wire<'runtimeFeed'>>('GET', `${FEED}${query}`);
    const shown = body.projects.flatMap(({ results = [] }) => results.map(({ id }) => id));
    const expected = query === `?plugin=${OTHER}` || query === '?content=false' ? [] : [own.id];
    expect([query, status, shown]).toEqual([query, 200, expected]);
    expect(text).not.toContain(SECRET);
    const read = { body: { projects: [project.id] } };
    const named = await limited<Wire<'runtimeFeed'>>(
      'POST',
      `${FEED}/read${query.replace('?content=false', '')}`,
      read,
    );
    expect(named.status).toBe(200);
    expect(named.text).not.toContain(SECRET);
  }
  const { body: page } = await limited<Wire<'runtimeFeed'>>('GET', FEED);
  const narrower = await service.issueKey({
    scopes: ['plugin_runtime'],
    projectIds: [project.id],
    pluginIds: [OTHER],
  });
  const theirs = await limited<Wire<'runtimeFeed'>>('GET', `${FEED}?after=${page.cursor}`, {
    token: narrower.token,
  });
  expect([theirs.status, theirs.body.reset]).toEqual([200, true]);
});

test('a limited key that waits does not learn of changes to records of other plugins', async ({
  service,
  project,
  call,
}) => {
  const { limited, own, other } = await aTenant(service, project.id, call);
  const tag = (await limited('GET', `${ALL}/runtime`)).headers.get('etag') ?? '';
  const waiting = limited<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime?wait=20`, {
    headers: { 'if-none-match': tag },
  });
  await call('PATCH', `${ALL}/${other.id}`, { body: { name: `${SECRET} 2` } });
  await call('POST', ALL, { body: { plugin: OTHER, enabled: true } });
  const unchanged = await limited('GET', `${ALL}/runtime`, { headers: { 'if-none-match': tag } });
  expect(unchanged.status).toBe(304);
  await call('PATCH', `${ALL}/${own.id}`, { body: { name: 'Changed' } });
  expect((await waiting).body.results).toMatchObject([{ id: own.id, name: 'Changed' }]);
  await call('PATCH', `${ALL}/${own.id}`, { body: { plugin: OTHER } });
  expect((await limited<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime`)).body.results).toEqual([]);
});

test('a limited key writes back to the records of its plugins alone', async ({ service, project, call }) => {
  const config_schema = [{ key: 'name', type: 'string', secret: true, runtime_writable: true }];
  const { limited, own, other } = await aTenant(service, project.id, call);
  for (const plugin of [OWN, OTHER])
    await call('PUT', `/../../plugins/${plugin}`, { body: { name: 'Plugin', config_schema } });
  const write = async (record: number, query = '') => {
    const { body: read } = await call<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime`);
    const body = {
      config_version: read.results.find(({ id }) => id === record)?.config_version ?? 1,
      set: { name: crypto.randomUUID() },
    };
    return limited<Wire<'writtenBack'>>('PATCH', `${FEED}/records/${record}/config${query}`, { body });
  };
  for (const query of ['', `?plugin=${OWN}`, `?plugin=${OTHER}`]) {
    const { status, text } = await write(other.id, query);
    expect([status, text.includes(SECRET)]).toEqual([404, false]);
  }
  const { status, body } = await write(own.id);
  expect(status).toBe(200);
  expect((await limited<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime`)).body.version).toBe(
    body.version,
  );
  await call('PATCH', `${ALL}/${own.id}`, { body: { plugin: OTHER } });
  expect((await write(own.id)).status).toBe(404);
});

test('a limited key reports about the records of its plugins alone, beside the runtimes of other keys', async ({
  service,
  project,
  call,
}) => {
  const { limited, own, other } = await aTenant(service, project.id, call);
  const versionFor = async (reader: Call) =>
    (await reader<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime`)).body.version;
  const failedOf = (...ids: readonly number[]) => ids.map((id) => ({ id, error: 'failed' }));
  const report = async (reader: Call, failed: object) =>
    reader('PUT', `${ALL}/runtimes/shop`, {
      body: { version: await versionFor(reader), status: 'failed', failed },
    });
  const listed = async () => (await call<Wire<'runtimePage'>>('GET', `${ALL}/runtimes`)).body.results;
  expect((await report(call, failedOf(other.id))).status).toBe(204);
  for (const stranger of [other.id, 999_999]) {
    expect((await report(limited, failedOf(own.id, stranger))).status).toBe(204);
    expect(await listed()).toMatchObject([
      { instance: 'shop', plugin_ids: null, current: true, failed: failedOf(other.id) },
      { instance: 'shop', plugin_ids: [OWN], current: true, failed: failedOf(own.id) },
    ]);
  }
  await call('PATCH', `${ALL}/${own.id}`, { body: { name: 'Changed' } });
  expect((await listed()).map(({ current }) => current)).toEqual([false, false]);
  await report(limited, []);
  expect((await listed()).map(({ current }) => current)).toEqual([false, true]);

  const { body: page } = await limited<Wire<'runtimeFeed'>>('GET', FEED);
  const host = (reader: Call, ...ids: readonly number[]) =>
    reader('PUT', `${FEED}/instances/host`, {
      body: {
        cursor: page.cursor,
        status: 'failed',
        failed: failedOf(...ids).map((one) => ({ project_id: project.id, ...one })),
      },
    });
  expect((await host(call, other.id)).status).toBe(204);
  expect((await host(limited, own.id, other.id, 999_999)).status).toBe(204);
  expect((await listed()).filter(({ instance }) => instance === 'host')).toMatchObject([
    { plugin_ids: null, failed: failedOf(other.id) },
    { plugin_ids: [OWN], failed: failedOf(own.id) },
  ]);
});
