import { anAuthor } from '@plugin-config/testing';
import { expect, onTestFinished } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { expireSoon, openService, test as base, type Service } from '../testing/service.fixture.ts';

/** Requests with a cached key that another process has revoked: they must neither take effect nor reveal anything. */
const REQUESTS_AFTER_REVOCATION = [
  ['PATCH', { name: 'Late' }],
  ['PATCH', { name: 'Known' }],
  ['PATCH', { enabled: true, deleted: true }],
  ['PATCH', { order: -1 }],
  ['PATCH', 'no JSON'],
  ['PUT', { plugin: 2 }],
  ['DELETE', undefined],
] as const;

interface Fixtures {
  /** A cached key and a cached record. */
  readonly cached: {
    readonly call: Call;
    readonly keyId: number;
    readonly path: string;
    readonly tag: string;
    revoke(): Promise<void>;
  };
}

const test = base.extend<Fixtures>({
  cached: async ({ service, project, database }, use) => {
    const { token, key } = await service.issueKey();
    const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
    const { body } = await call('POST', '/plugin_configs', { body: { plugin: 1, name: 'Known' } });
    const path = `/plugin_configs/${body.id}`;
    const { headers } = await call('PATCH', path, { body: { description: 'Changed' } });
    // Like another process, whose change this one does not notice.
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

test('a change to a cached record takes one statement', async ({ service, cached: { call, path } }) => {
  service.statements.length = 0;
  expect(await call('PATCH', path, { body: { name: 'Next' } })).toMatchObject({
    status: 200,
    body: { name: 'Next', description: 'Changed' },
  });
  expect(service.statements).toHaveLength(1);
});

test('a read caches the record, so the next change takes one statement', async ({
  service,
  cached: { call, path },
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

test.for(REQUESTS_AFTER_REVOCATION)(
  '%s %j with a key that was revoked elsewhere returns 401 and changes nothing',
  async ([method, body], { service, project, cached: { call, path, revoke } }) => {
    const before = await stored(service, project.id);
    await revoke();
    const { status, headers } = await call(method, path, { body });
    expect([status, headers.get('etag')]).toEqual([401, null]);
    expect(await stored(service, project.id)).toEqual(before);
  },
);

test('a key that was revoked elsewhere neither creates nor replays anything', async ({
  service,
  project,
  cached: { call, revoke },
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

test('of two concurrent creations with one Idempotency-Key, the one that stores nothing checks access before responding', async ({
  service,
  database,
  cached: { call },
}) => {
  const create = () =>
    call('POST', '/plugin_configs', { body: { plugin: 1 }, headers: { 'idempotency-key': 'shared' } });
  const blocker = await database.pool.connect();
  await blocker.query('begin; select from config_family for update');
  const both = Promise.all([create(), create()]);
  // Both have arrived before this one gets its response.
  await call('GET', '/plugin_configs');
  service.statements.length = 0;
  await blocker.query('commit');
  blocker.release();
  const [first, second] = await both;
  expect(second.body).toEqual(first.body);
  expect(service.statements.filter((text) => !text.includes('create_config_records'))).toHaveLength(1);
});

test('a precondition is compared with the current record, not the cached copy', async ({
  database,
  cached: { call, path, tag },
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

test('an update that equals the cached copy still changes the current record', async ({
  database,
  cached: { call, path },
}) => {
  await database.pool.query(
    `update config_record set version = version + 1, name = 'Elsewhere' where id = $1`,
    [path.split('/').at(-1)],
  );
  const { body } = await call('PATCH', path, { body: { name: 'Known' } });
  expect(body).toMatchObject({ name: 'Known', description: 'Changed' });
  expect((await call('GET', path)).body).toEqual(body);
});

test('a cached key is limited to its own projects and scopes', async ({ service, project, cached }) => {
  const other = await service.ports.projects.create('Other', {
    actor: { keyId: null, label: 'test' },
    requestId: null,
    at: new Date(),
  });
  const bound = await service.issueKey({ projectIds: [project.id] });
  const reader = await service.issueKey({ scopes: ['plugin:read'] });
  const at = (projectId: number, token: string) =>
    caller({ base: `${service.url}/api/projects/${projectId}`, token });
  for (const { token } of [bound, reader]) await at(project.id, token)('GET', cached.path);
  expect((await at(project.id, bound.token)('PATCH', cached.path, { body: { name: 'Mine' } })).status).toBe(
    200,
  );
  expect((await at(other.id, bound.token)('PATCH', cached.path, { body: { name: 'Not mine' } })).status).toBe(
    403,
  );
  expect((await at(other.id, bound.token)('POST', '/plugin_configs', { body: { plugin: 1 } })).status).toBe(
    403,
  );
  expect((await at(project.id, reader.token)('PATCH', cached.path, { body: { name: 'Read' } })).status).toBe(
    403,
  );
  const unbound = at(other.id, (await service.issueKey()).token);
  await unbound('GET', '/plugin_configs');
  expect((await unbound('PATCH', cached.path, { body: { name: 'Elsewhere' } })).status).toBe(404);
  const missingProject = at(4711, (await service.issueKey()).token);
  expect((await missingProject('POST', '/plugin_configs', { body: { plugin: 1 } })).status).toBe(404);
  expect((await missingProject('POST', '/plugin_configs', { body: { plugin: 1 } })).status).toBe(404);
});

test('a cached key that has expired is rejected', async ({ service, project, database }) => {
  const key = await service.issueKey();
  const call = caller({ base: `${service.url}/api/projects/${project.id}`, token: key.token });
  await expireSoon(database, key, 2_000);
  const create = () => call('POST', '/plugin_configs', { body: { plugin: 1 } });
  expect((await create()).status).toBe(201);
  await expect.poll(async () => (await create()).status).toBe(401);
});

test('the 401 to a cached key that was revoked elsewhere reveals nothing', async () => {
  const service = await openService({ rateLimitPerMinute: 1000 });
  onTestFinished(() => service.close());
  const project = await service.ports.projects.create('One', anAuthor({ at: new Date() }));
  const requests = [
    ['PATCH', '', { name: 'Known' }, {}],
    ['PATCH', '', { name: 'Late' }, {}],
    ['PATCH', '', { name: 'Late' }, { 'if-match': '"stale"' }],
    ['PATCH', '?dry_run=true', { name: 'Late' }, {}],
    ['DELETE', '?dry_run=true', undefined, { 'if-match': '"stale"' }],
  ] as const;
  for (const [method, query, body, headers] of requests) {
    const { token, key } = await service.issueKey();
    const call = caller({ base: `${service.url}/api/projects/${project.id}/plugin_configs`, token });
    const { body: record } = await call('POST', '', { body: { plugin: 1, name: 'Known' } });
    const admitted = await call('PATCH', `/${record.id}`, { body: { description: 'Changed' } });
    expect(admitted.headers.has('ratelimit')).toBe(true);
    await service.ports.keys.revoke(key.id, null, anAuthor({ at: new Date() }));
    const rejected = await call(method, `/${record.id}${query}`, { body, headers });
    const revealing = ['ratelimit', 'ratelimit-policy', 'set-cookie', 'dry-run', 'etag'].filter((name) =>
      rejected.headers.has(name),
    );
    expect([method, query, body, rejected.status, revealing]).toEqual([method, query, body, 401, []]);
  }
});
