import { expect } from 'vitest';
import { caller, type Call, type ReceivedResponse, type Request } from '../testing/caller.ts';
import { ownPage } from '../testing/own-page.ts';
import { test as base, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const ALL = '/plugin_configs';
const FEED = '/../../runtime/plugin_configs';
const PLUGIN = 4720;
const SCHEMA = [
  { key: 'host', type: 'string' },
  { key: 'refresh', type: 'string', secret: true, runtime_writable: true },
];
const CANARY = 'a canary in a written secret';

interface Written {
  /** The path of the record. */
  readonly path: string;
  /** Sends requests below the project with the key of a runtime. */
  readonly runtime: Call;
  readonly write: <T = Wire<'writtenBack'>>(
    config_version: number,
    set: object,
    request?: Request & { readonly query?: string },
  ) => Promise<ReceivedResponse<T>>;
}

const test = base.extend<{ written: Written }>({
  written: async ({ service, call, project }, use) => use(await aRecordWithToken(service, call, project.id)),
});

/** An enabled record, whose configuration has version 2. */
async function aRecordWithToken(service: Service, call: Call, project: number): Promise<Written> {
  await call('PUT', `/../../plugins/${PLUGIN}`, { body: { name: 'OAuth', config_schema: SCHEMA } });
  const config = { host: 'a', refresh: 'hunter1' };
  const { body } = await call('POST', ALL, { body: { plugin: PLUGIN, enabled: true } });
  const path = `${ALL}/${body.id}`;
  await call('PUT', `${path}/config`, { body: config });
  const { token } = await service.issueKey({ projectIds: [project], scopes: ['plugin_runtime'] });
  const runtime = caller({ base: `${service.url}/api/projects/${project}`, token });
  return {
    path,
    runtime,
    write: (config_version, set, { query = '', ...request } = {}) =>
      runtime('PATCH', `${FEED}/records/${body.id}/config${query}`, {
        body: { config_version, set },
        ...request,
      }),
  };
}

const read = async (runtime: Call) =>
  (await runtime<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime`)).body;

test('a runtime stores a secret, and does not get its own change as news', async ({ call, written }) => {
  const { runtime, write, path } = written;
  const before = await read(runtime);
  const feed = (await runtime<Wire<'runtimeFeed'>>('GET', FEED)).body;
  const stored = await write(2, { refresh: CANARY });
  expect(stored).toMatchObject({
    status: 200,
    body: { config_version: 3, previous_version: before.version },
  });
  expect(stored.text).not.toContain(CANARY);
  const { version = '' } = stored.body as { readonly version?: string };

  const headers = { 'if-none-match': `"${version}"` };
  expect((await runtime('GET', `${ALL}/runtime?wait=1`, { headers })).status).toBe(304);
  const after = await read(runtime);
  expect(after).toMatchObject({
    version,
    results: [{ config_version: 3, config: { host: 'a', refresh: CANARY } }],
  });
  // Other runtimes get it, and hosts skip it by its version.
  const stale = { headers: { 'if-none-match': `"${before.version}"` } };
  expect((await runtime('GET', `${ALL}/runtime`, stale)).status).toBe(200);
  const changed = await runtime<Wire<'runtimeFeed'>>(
    'GET',
    `${FEED}?after=${encodeURIComponent(feed.cursor)}`,
  );
  expect(changed.body.projects).toMatchObject([{ version, results: after.results }]);

  const activity = await call('GET', `${path}/activity`);
  expect(activity.body).toMatchObject({
    results: [
      {
        activity: 'config_written',
        actor: { label: 'test key' },
        changes: [{ field: 'config.refresh', before: '********', after: '********' }],
      },
      { activity: 'config_updated' },
      { activity: 'created' },
    ],
  });
  expect((await call('GET', `${path}/revisions`)).body).toMatchObject({ count: 2 });
  for (const shown of [path, ALL, `${path}/activity`, `${path}/revisions`, `${ALL}/activity`])
    expect((await call('GET', shown)).text).not.toContain(CANARY);
});

test('a waiting runtime gets what another one writes', async ({ written: { runtime, write } }) => {
  const { version } = await read(runtime);
  const waiting = runtime<Wire<'runtimeConfiguration'>>('GET', `${ALL}/runtime?wait=20`, {
    headers: { 'if-none-match': `"${version}"` },
  });
  const { body } = await write(2, { refresh: 'hunter2' });
  expect((await waiting).body).toMatchObject({
    version: body.version,
    results: [{ config: { refresh: 'hunter2' } }],
  });
});

test('the version is that of the filtered feed', async ({ call, written: { runtime, write } }) => {
  await call('POST', ALL, { body: { plugin: 9, enabled: true } });
  for (const [version, query] of [
    [2, ''],
    [3, `?plugin=${PLUGIN}`],
    [4, `?plugin=9&plugin=${PLUGIN}`],
    [5, '?plugin=9'],
  ] as const) {
    const stored = await write(version, { refresh: `hunter${version}` }, { query });
    const { projects } = (await runtime<Wire<'runtimeFeed'>>('GET', `${FEED}${query}`)).body;
    expect([query, projects.map((project) => project.version)]).toEqual([query, [stored.body.version]]);
  }
});

test('only keys with the scope that can access the project can write, but no session', async ({
  service,
  project,
  call,
  written: { write, runtime },
}) => {
  const issue = async (projectId: number, scope: 'plugin:write' | 'plugin_runtime') =>
    (await service.issueKey({ projectIds: [projectId], scopes: [scope] })).token;
  const set = { refresh: CANARY };
  expect((await write(2, set, { token: await issue(project.id, 'plugin:write') })).status).toBe(403);
  const { body: other } = await call('POST', '/..', { body: { name: 'Other' } });
  const stranger = await write(2, set, { token: await issue(other.id, 'plugin_runtime') });
  expect(stranger.status).toBe(404);
  const { token } = await service.issueKey();
  const headers = ownPage(service.url);
  const signedIn = await runtime('POST', '/../../session', { body: { key: token }, headers, token: null });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await write(2, set, { headers: { ...headers, cookie }, token: null })).status).toBe(403);
  expect((await read(runtime)).results).toMatchObject([{ config_version: 2 }]);
  expect(service.log.join('\n')).not.toContain(CANARY);
});

test('a schema shows which entries runtimes may write, and only secrets may be among them', async ({
  call,
  written: { path },
}) => {
  const registered = await call('GET', `/../../plugins/${PLUGIN}`);
  expect(registered.body).toMatchObject({ config_schema: SCHEMA });
  const { body: record } = await call('GET', path);
  expect(JSON.parse(record.plugin_info ?? '')).toMatchObject({ config_schema: SCHEMA });
  const config_schema = [{ key: 'host', type: 'string', runtime_writable: true }];
  expect(
    await call('PUT', `/../../plugins/${PLUGIN}`, { body: { name: 'OAuth', config_schema } }),
  ).toMatchObject({ status: 400, body: { attr: 'config_schema' } });
});
