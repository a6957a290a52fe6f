import { anAuthor } from '@plugin-config/testing';
import { expect, onTestFinished } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { expireSoon, openService, test as base, type Service } from '../testing/service.fixture.ts';

/** What a key that this process knows sends after it was revoked elsewhere; nothing of it may happen or be told. */
const LATE = [
  ['PATCH', { name: 'Late' }],
  ['PATCH', { name: 'Known' }],
  ['PATCH', { enabled: true, deleted: true }],
  ['PATCH', { order: -1 }],
  ['PATCH', 'no JSON'],
  ['PUT', { plugin: 2 }],
  ['DELETE', undefined],
] as const;

interface Fixtures {
  /** Calls with a key that the process knows, and a record that it has cached. */
  readonly known: {
    readonly call: Call;
    readonly keyId: number;
    readonly path: string;
    readonly tag: string;
    revoke(): Promise<void>;
  };
}

const test = base.extend<Fixtures>({
  known: async ({ service, project, database }, use) => {
    const { token, key } = await service.issueKey();
    const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
    const { body } = await call('POST', '/plugin_configs', { body: { plugin: 1, name: 'Known' } });
    const path = `/plugin_configs/${body.id}`;
    const { headers } = await call('PATCH', path, { body: { description: 'Changed' } });
    // Another process, of which this one hears nothing.
    const revoke = async (): Promise<void> => {
      await database.pool.query('update api_key set revoked_at = now() where id = $1', [key.id]);
    };
    await use({ call, keyId: key.id, path, tag: headers.get('etag') ?? '', revoke });
  },
});

const stored = async ({ ports }: Service, projectId: number) => {
  const family = { projectId, family: 'plugin_configs' } as const;
  const filter = { deleted: false, enabled: null, plugin: null, search: null };
  return (await ports.records.list(family, filter, { limit: 10, offset: 0 })).value;
};

test('a change of a cached record is one statement', async ({ service, known: { call, path } }) => {
  service.statements.length = 0;
  expect(await call('PATCH', path, { body: { name: 'Next' } })).toMatchObject({
    status: 200,
    body: { name: 'Next', description: 'Changed' },
  });
  expect(service.statements).toHaveLength(1);
});

test('a record that was read is cached, so its next change is one statement', async ({
  service,
  known: { call, path },
  database,
}) => {
  const id = path.split('/').at(-1);
  await database.pool.query('update config_record set version = version + 1 where id = $1', [id]);
  await database.pool.query('update config_family set family_version = family_version + 1');
  await call('GET', path);
  service.statements.length = 0;
  expect((await call('PATCH', path, { body: { name: 'Read' } })).status).toBe(200);
  expect(service.statements).toHaveLength(1);
});

test.for(LATE)(
  '%s %j with a key that was revoked elsewhere is 401, and changes nothing',
  async ([method, body], { service, project, known: { call, path, revoke } }) => {
    const before = await stored(service, project.id);
    await revoke();
    const { status, headers } = await call(method, path, { body });
    expect([status, headers.get('etag')]).toEqual([401, null]);
    expect(await stored(service, project.id)).toEqual(before);
  },
);

test('nothing is created or repeated with a key that was revoked elsewhere', async ({
  service,
  project,
  known: { call, revoke },
}) => {
  const once = { body: { plugin: 1 }, headers: { 'idempotency-key': 'once' } };
  expect((await call('POST', '/plugin_configs', once)).status).toBe(201);
  const before = await stored(service, project.id);
  await revoke();
  for (const sent of [once, { body: { plugin: 1 } }, { body: { plugin: 0 } }, { body: {} }])
    expect([sent, (await call('POST', '/plugin_configs', sent)).status]).toEqual([sent, 401]);
  expect((await call('POST', '/plugin_configs?dry_run=true', { body: { plugin: 1 } })).status).toBe(401);
  expect(await stored(service, project.id)).toEqual(before);
});

test('of two creations with one key at a time, the one that stores nothing asks before it tells', async ({
  service,
  database,
  known: { call },
}) => {
  const create = () =>
    call('POST', '/plugin_configs', { body: { plugin: 1 }, headers: { 'idempotency-key': 'shared' } });
  const blocker = await database.pool.connect();
  await blocker.query('begin; select from config_family for update');
  const both = Promise.all([create(), create()]);
  // Both have arrived before this one is answered.
  await call('GET', '/plugin_configs');
  service.statements.length = 0;
  await blocker.query('commit');
  blocker.release();
  const [first, second] = await both;
  expect(second.body).toEqual(first.body);
  expect(service.statements.filter((text) => !text.includes('create_config_records'))).toHaveLength(1);
});

test('a precondition is compared with the record as it is, whatever is cached of it', async ({
  database,
  known: { call, path, tag },
}) => {
  await database.pool.query(
    `update config_record set version = version + 1, description = 'Elsewhere' where id = $1`,
    [path.split('/').at(-1)],
  );
  const rename = (name: string, etag: string) =>
    call('PATCH', path, { body: { name }, headers: { 'if-match': etag } });
  expect((await rename('Late', tag)).status).toBe(412);
  const { headers } = await call('GET', path);
  await database.pool.query(`update config_record set version = version + 1 where id = $1`, [
    path.split('/').at(-1),
  ]);
  expect((await rename('Late', headers.get('etag') ?? '')).status).toBe(412);
});

test('what is no change of the cached record is a change of the current one', async ({
  database,
  known: { call, path },
}) => {
  await database.pool.query(
    `update config_record set version = version + 1, name = 'Elsewhere' where id = $1`,
    [path.split('/').at(-1)],
  );
  const { body } = await call('PATCH', path, { body: { name: 'Known' } });
  expect(body).toMatchObject({ name: 'Known', description: 'Changed' });
  expect((await call('GET', path)).body).toEqual(body);
});

test('a cached key is good for its own projects and scopes only', async ({ service, project, known }) => {
  const other = await service.ports.projects.create('Other', {
    actor: { keyId: null, label: 'test' },
    requestId: null,
    at: new Date(),
  });
  const bound = await service.issueKey({ projectIds: [project.id] });
  const reader = await service.issueKey({ scopes: ['plugin:read'] });
  const at = (projectId: number, token: string) =>
    caller({ base: `${service.url}/api/projects/${projectId}`, token });
  for (const { token } of [bound, reader]) await at(project.id, token)('GET', known.path);
  expect((await at(project.id, bound.token)('PATCH', known.path, { body: { name: 'Mine' } })).status).toBe(
    200,
  );
  expect((await at(other.id, bound.token)('PATCH', known.path, { body: { name: 'Not mine' } })).status).toBe(
    403,
  );
  expect((await at(other.id, bound.token)('POST', '/plugin_configs', { body: { plugin: 1 } })).status).toBe(
    403,
  );
  expect((await at(project.id, reader.token)('PATCH', known.path, { body: { name: 'Read' } })).status).toBe(
    403,
  );
  const unbound = at(other.id, (await service.issueKey()).token);
  await unbound('GET', '/plugin_configs');
  expect((await unbound('PATCH', known.path, { body: { name: 'Elsewhere' } })).status).toBe(404);
  const nowhere = at(4711, (await service.issueKey()).token);
  expect((await nowhere('POST', '/plugin_configs', { body: { plugin: 1 } })).status).toBe(404);
  expect((await nowhere('POST', '/plugin_configs', { body: { plugin: 1 } })).status).toBe(404);
});

test('a cached key that has expired is rejected', async ({ service, project, database }) => {
  const key = await service.issueKey();
  const call = caller({ base: `${service.url}/api/projects/${project.id}`, token: key.token });
  await expireSoon(database, key, 2_000);
  const create = () => call('POST', '/plugin_configs', { body: { plugin: 1 } });
  expect((await create()).status).toBe(201);
  await expect.poll(async () => (await create()).status).toBe(401);
});

test('the 401 to a cached key that was revoked elsewhere tells nothing that an admitted request is told', async () => {
  const service = await openService({ rateLimitPerMinute: 1000 });
  onTestFinished(() => service.close());
  const project = await service.ports.projects.create('One', anAuthor({ at: new Date() }));
  const lates = [
    ['PATCH', '', { name: 'Known' }, {}],
    ['PATCH', '', { name: 'Late' }, {}],
    ['PATCH', '', { name: 'Late' }, { 'if-match': '"stale"' }],
    ['PATCH', '?dry_run=true', { name: 'Late' }, {}],
    ['DELETE', '?dry_run=true', undefined, { 'if-match': '"stale"' }],
  ] as const;
  for (const [method, query, body, headers] of lates) {
    const { token, key } = await service.issueKey();
    const call = caller({ base: `${service.url}/api/projects/${project.id}/plugin_configs`, token });
    const { body: record } = await call('POST', '', { body: { plugin: 1, name: 'Known' } });
    const admitted = await call('PATCH', `/${record.id}`, { body: { description: 'Changed' } });
    expect(admitted.headers.has('ratelimit')).toBe(true);
    await service.ports.keys.revoke(key.id, null, anAuthor({ at: new Date() }));
    const late = await call(method, `/${record.id}${query}`, { body, headers });
    const told = ['ratelimit', 'ratelimit-policy', 'set-cookie', 'dry-run', 'etag'].filter((name) =>
      late.headers.has(name),
    );
    expect([method, query, body, late.status, told]).toEqual([method, query, body, 401, []]);
  }
});
