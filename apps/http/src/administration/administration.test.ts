import type { WireErrorBody, WireNewApiKey } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { test as base, type KeyOptions, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

interface Fixtures {
  /** Calls paths below `/api` with an unrestricted key. */
  readonly admin: Call;
}

const test = base.extend<Fixtures>({
  admin: async ({ service }, use) => use(await callerWith(service, {})),
});

async function callerWith(service: Service, options: KeyOptions): Promise<Call> {
  const { token } = await service.issueKey(options);
  return callerOf(service, token);
}

function callerOf({ url }: Service, token: string): Call {
  return caller({ base: `${url}/api`, token });
}

const SOON = new Date(Date.UTC(2100, 0)).toISOString();

test('a key can read its own permissions', async ({ service, project }) => {
  const options = { label: 'CI', scopes: ['plugin:read'], projectIds: [project.id] } as const;
  const { key, token } = await service.issueKey(options);
  const { status, body } = await callerOf(service, token)('GET', '/key');
  expect([status, body]).toEqual([
    200,
    {
      id: key.id,
      account_id: key.id,
      label: 'CI',
      scopes: ['plugin:read'],
      project_ids: [project.id],
      plugin_ids: null,
      created_at: key.createdAt.toISOString(),
      expires_at: null,
    },
  ]);
});

test('a key issues another key, which works until it is revoked', async ({ service, admin, project }) => {
  const requested = { label: ' CI ', scopes: ['plugin:read'], project_ids: [project.id], expires_at: SOON };
  const created = await admin<WireNewApiKey>('POST', '/keys', { body: requested });
  expect(created.status).toBe(201);
  expect(created.headers.get('cache-control')).toBe('no-store');
  const { id, token, ...key } = created.body;
  expect(key).toMatchObject({ ...requested, label: 'CI', last_used_at: null, revoked_at: null });
  const own = callerOf(service, token);
  expect((await own('GET', `/projects/${project.id}/plugin_configs`)).status).toBe(200);
  expect((await own('GET', '/keys')).status).toBe(403);
  for (let i = 0; i < 2; i++) expect((await admin('DELETE', `/keys/${id}`)).status).toBe(204);
  expect((await own('GET', '/key')).status).toBe(401);
  const listed = await admin<Wire<'apiKeyPage'>>('GET', '/keys?limit=1000');
  expect(listed.text).not.toContain(token);
  const found = listed.body.results.find((one) => one.id === id);
  expect(found).toMatchObject({ id, label: 'CI', revoked_at: expect.any(String) });
});

test('a new key joins the given account, which a project-bound issuer cannot choose', async ({
  service,
  admin,
  project,
}) => {
  const bound = await service.issueKey({ projectIds: [project.id] });
  const other = await service.issueKey();
  const body = { label: 'CI', scopes: ['plugin:read'], project_ids: [project.id] };
  const joined = { ...body, account_id: other.key.accountId };
  expect((await admin<WireNewApiKey>('POST', '/keys', { body })).body.account_id).toBe(bound.key.accountId);
  expect((await admin<WireNewApiKey>('POST', '/keys', { body: joined })).body.account_id).toBe(
    other.key.accountId,
  );
  const rejected = await callerOf(service, bound.token)('POST', '/keys', { body: joined });
  expect(rejected).toMatchObject({ status: 403, body: { attr: 'account_id' } });
});

test('a new key inherits the projects and the expiry of its issuer by default', async ({
  service,
  project,
}) => {
  const scopes = ['key:write', 'plugin:read'] as const;
  const issuer = await callerWith(service, { scopes, projectIds: [project.id], lifetimeMs: 60_000 });
  const { expires_at: end } = (await issuer<Wire<'ownKey'>>('GET', '/key')).body;
  const created = await issuer('POST', '/keys', { body: { label: 'CI', scopes: ['plugin:read'] } });
  expect(created.body).toMatchObject({ project_ids: [project.id], expires_at: end });
});

test('a key is limited to plugins by their ids or slugs', async ({ service, admin }) => {
  const { body: plugin } = await admin('PUT', '/plugins/slug:limit', { body: { name: 'Limit' } });
  const issue = (more: object) =>
    admin<WireNewApiKey & WireErrorBody>('POST', '/keys', {
      body: { label: 'Limited', scopes: ['plugin_log:write'], ...more },
    });
  const { body } = await issue({ plugin_ids: ['slug:limit', plugin.id + 1] });
  expect(body.plugin_ids).toEqual([plugin.id, plugin.id + 1]);
  const own = await callerOf(service, body.token)<Wire<'ownKey'>>('GET', '/key');
  expect(own.body.plugin_ids).toEqual(body.plugin_ids);
  expect((await issue({})).body.plugin_ids).toBeNull();
  await admin('DELETE', '/plugins/slug:limit');
  expect((await callerOf(service, body.token)<Wire<'ownKey'>>('GET', '/key')).body).toEqual(own.body);
  for (const [attr, code, more] of [
    ['plugin_ids', 'does_not_exist', { plugin_ids: ['slug:limit'] }],
    ['plugin_ids', 'min_value', { plugin_ids: [] }],
    ['plugin_ids', 'invalid_input', { plugin_ids: [7], scopes: ['*'] }],
    ['plugin_ids', 'invalid_input', { plugin_ids: [7], scopes: ['plugin:write'] }],
    ['plugin_ids.0', 'min_value', { plugin_ids: [0] }],
    ['plugin_ids', 'max_value', { plugin_ids: Array.from({ length: 101 }, (_, n) => n + 1) }],
  ] as const) {
    const rejected = await issue(more);
    expect([more, rejected.status, rejected.body]).toMatchObject([more, 400, { code, attr }]);
  }
});

test('a key cannot issue a key with more permissions, directly or indirectly', async ({
  service,
  project,
}) => {
  const scopes = ['key:write', 'plugin:read'] as const;
  const issuer = await callerWith(service, { scopes, projectIds: [project.id], lifetimeMs: 60_000 });
  const child = await issuer<WireNewApiKey>('POST', '/keys', { body: { label: 'Child', scopes } });
  for (const call of [issuer, callerOf(service, child.body.token)]) {
    for (const [attr, more] of [
      ['scopes', { scopes: ['plugin:write'] }],
      ['project_ids', { project_ids: null }],
      ['expires_at', { expires_at: SOON }],
    ] as const) {
      const body = { label: 'More', scopes: ['plugin:read'], ...more };
      const rejected = await call('POST', '/keys', { body });
      expect([rejected.status, rejected.body]).toMatchObject([403, { code: 'permission_denied', attr }]);
    }
    const { body } = await call<Wire<'apiKeyPage'>>('GET', '/keys');
    expect(body.results.map(({ label }) => label)).not.toContain('More');
  }
});

test('a key can only see and revoke keys it could have issued', async ({ service, admin, project }) => {
  const scopes = ['key:write', 'plugin:read'] as const;
  const issuer = await callerWith(service, { scopes, projectIds: [project.id] });
  const own = await issuer('POST', '/keys', { body: { label: 'Own', scopes: ['plugin:read'] } });
  const others = [
    await service.issueKey({ scopes: ['plugin:read'] }),
    await service.issueKey({ scopes: ['plugin:write'], projectIds: [project.id] }),
  ];
  const { body } = await issuer<Wire<'apiKeyPage'>>('GET', '/keys');
  expect(body.results.map(({ label }) => label)).toEqual(['test key', 'Own']);
  for (const { key, token } of others) {
    expect((await issuer('DELETE', `/keys/${key.id}`)).status).toBe(404);
    expect((await callerOf(service, token)('GET', '/key')).status).toBe(200);
  }
  expect((await issuer('DELETE', `/keys/${own.body.id}`)).status).toBe(204);
  expect((await admin('DELETE', '/keys/nonsense')).status).toBe(404);
});

const SECRET = 'never shown';

test('the defaults of secrets are hidden in a registration', async ({ admin, project }) => {
  const fields = [
    { key: 'token', type: 'string', secret: true, default: SECRET },
    { key: 'city', type: 'string', default: 'a', site: true },
  ];
  const registered = await admin('PUT', '/plugins/4712', { body: { name: 'Geo', config_schema: fields } });
  expect([registered.status, registered.body]).toEqual([
    200,
    {
      id: 4712,
      name: 'Geo',
      config_schema: [{ key: 'token', type: 'string', secret: true }, fields[1]],
      records: { total: 0, invalid: 0 },
    },
  ]);
  const responses = [
    registered,
    await admin('GET', '/plugins/4712'),
    await admin('GET', '/plugins?limit=1000'),
  ];
  const record = await admin('POST', `/projects/${project.id}/plugin_configs`, { body: { plugin: 4712 } });
  responses.push(record, await admin('GET', '/audit'));
  for (const { text } of responses) expect(text).not.toContain(SECRET);
  expect(JSON.parse(record.body.config)).toEqual({ token: '********', city: 'a' });
  expect((await admin('DELETE', '/plugins/4712')).status).toBe(204);
  expect((await admin('DELETE', '/plugins/4712')).status).toBe(404);
  expect((await admin('GET', '/plugins/4712')).status).toBe(404);
});

test('the audit log shows who changed what, and never a token', async ({ service, admin }) => {
  const project = (await admin('POST', '/projects', { body: { name: 'Audited' } })).body;
  const requested = { label: 'Audited key', scopes: ['plugin:read'], project_ids: [project.id] };
  const key = (
    await admin<WireNewApiKey>('POST', '/keys', { body: requested, headers: { 'x-request-id': 'audited' } })
  ).body;
  await admin('DELETE', `/keys/${key.id}`);
  const { id: actor, label } = (await admin<Wire<'ownKey'>>('GET', '/key')).body;
  const { text, body } = await admin<Wire<'auditPage'>>('GET', '/audit?limit=3');
  expect(text).not.toContain(key.token);
  const subject = { type: 'key', id: key.id, name: 'Audited key' };
  expect(body.results).toMatchObject([
    { action: 'key_revoked', subject },
    { action: 'key_issued', subject, request_id: 'audited', actor: { key_id: actor, label } },
    { action: 'project_created', subject: { type: 'project', id: project.id, name: 'Audited' } },
  ]);
  const administrator = await callerWith(service, {
    scopes: ['key:write', 'project:write', 'plugin_registry:write'],
  });
  expect((await administrator('GET', '/audit')).status).toBe(403);
});
