import type { WireAccessToken, WireErrorBody } from '@plugin-config/contract';
import { hmacAccessTokens } from '@plugin-config/persistence';
import { anAuthor } from '@plugin-config/testing';
import { describe, expect, onTestFinished } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { follow } from '../testing/follow.ts';
import { ownPage } from '../testing/own-page.ts';
import { openService, test as base, type IssuedKey, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const SUBJECT = { id: 'user-17', name: 'Ada Lovelace' };
const INVALID = 'Personal API key found in request Authorization header is invalid.';

interface Fixtures {
  /** A key of the project. */
  readonly key: IssuedKey;
  /** Calls any path with the key. */
  readonly byKey: Call;
  /** Issues a token and returns a function that calls paths below the project with it. */
  readonly withToken: (request?: object) => Promise<Call & { readonly token: string }>;
}

const test = base.extend<Fixtures>({
  key: async ({ service, project }, use) =>
    use(await service.issueKey({ scopes: ['plugin:write', 'plugin_runtime'], projectIds: [project.id] })),
  byKey: async ({ service, key }, use) => use(caller({ base: service.url, token: key.token })),
  withToken: async ({ service, project, byKey }, use) => {
    await use(async (request = {}) => {
      const { status, text, body } = await issue(byKey, { scopes: ['plugin:write'], ...request });
      expect([status, text]).toEqual([201, text]);
      const { token } = body;
      return Object.assign(caller({ base: `${service.url}/api/projects/${project.id}`, token }), { token });
    });
  },
});

function issue(call: Call, body: object) {
  return call<WireAccessToken & WireErrorBody>('POST', '/api/tokens', { body });
}

/** Returns a token of a key that ends at this time. */
function tokenUntil({ ports }: Service, { token }: IssuedKey, expiresAt: Date): string {
  const keyHash = ports.hasher.hash(token);
  const all = { projectIds: [], pluginIds: [] };
  return ports.accessTokens.sign({ keyHash, scopes: ['plugin:read'], ...all, subject: null, expiresAt });
}

describe('a token', () => {
  test('is issued for 15 minutes, or for what was requested', async ({ byKey }) => {
    for (const [request, seconds] of [
      [{}, 900],
      [{ expires_in: 3600 }, 3600],
    ] as const) {
      const before = Date.now();
      const { status, body, headers } = await issue(byKey, { scopes: ['plugin:read'], ...request });
      expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
      const lifetime = Date.parse(body.expires_at) - before;
      expect(lifetime).toBeGreaterThanOrEqual(seconds * 1000);
      expect(lifetime).toBeLessThan(seconds * 1000 + 60_000);
    }
  });

  test('is used like a key, and its subject is part of the actor', async ({
    key,
    withToken,
    byKey,
    project,
  }) => {
    const call = await withToken({ subject: SUBJECT });
    const { status, body: record } = await call('POST', '/plugin_configs', {
      body: { plugin: 7, name: 'A' },
    });
    expect(status).toBe(201);
    const path = `/plugin_configs/${record.id}`;
    await call('PATCH', path, { body: { name: 'B' } });
    await call('POST', `${path}/job`, { body: { enabled: true } });
    const asKey: Call = (method, below, request) =>
      byKey(method, `/api/projects/${project.id}${below}`, request);
    await asKey('PATCH', path, { body: { name: 'C' } });

    const { id: key_id, label } = key.key;
    const [bySubject, byItself] = [
      { key_id, label, subject: SUBJECT },
      { key_id, label },
    ];
    const activity = await asKey<Wire<'activityView'>>('GET', `${path}/activity`);
    expect(activity.body.results.map(({ activity: what, actor }) => [what, actor])).toEqual([
      ['updated', byItself],
      ['job_queued', bySubject],
      ['updated', bySubject],
      ['created', bySubject],
    ]);
    const family = await asKey<Wire<'activityView'>>('GET', '/plugin_configs/activity');
    expect(family.body.results.map(({ actor }) => actor)).toEqual([
      byItself,
      bySubject,
      bySubject,
      bySubject,
    ]);
    const revisions = await asKey<Wire<'revisionPage'>>('GET', `${path}/revisions`);
    expect(revisions.body.results.map(({ actor }) => actor)).toEqual([byItself, bySubject, bySubject]);
    const overview = await asKey<{ changes: { actor: unknown }[] }>('GET', '/overview');
    expect(overview.body.changes.map(({ actor }) => actor)).toContainEqual(bySubject);
  });

  test('is in the audit log and in events with its subject', async ({
    withToken,
    key,
    service,
    database,
  }) => {
    const call = await withToken({ subject: { id: 'user-18' } });
    const url = 'https://hooks.example.com/tokens';
    expect((await call('POST', '/webhooks', { body: { url, events: ['record.created'] } })).status).toBe(201);
    const { items } = await service.ports.audit.page({ limit: 1, offset: 0 });
    const { id: keyId, label } = key.key;
    expect(items).toMatchObject([
      { action: 'webhook_created', actor: { keyId, label, subject: { id: 'user-18' } } },
    ]);
    const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
    const sql = `select payload::json -> 'data' as data from webhook_dispatch where event_key like 'activity %'`;
    const { rows } = await database.pool.query<{ data: object }>(sql);
    const data = { record_id: record.id, actor: { key_id: keyId, label, subject: { id: 'user-18' } } };
    expect(rows).toMatchObject([{ data }]);
  });

  test('shows what it grants', async ({ service, key, project, withToken }) => {
    const { token } = await withToken({ scopes: ['config:write'], subject: SUBJECT });
    const call = caller({ base: service.url, token });
    const { body } = await call<Wire<'ownKey'>>('GET', '/api/key');
    expect(body).toMatchObject({
      id: key.key.id,
      scopes: ['config:write'],
      project_ids: [project.id],
      subject: SUBJECT,
      expires_at: expect.any(String),
    });
  });

  test('reaches no more than it grants', async ({ service, project, withToken }) => {
    const call = await withToken({ scopes: ['plugin:read'] });
    expect((await call('GET', '/plugin_configs')).status).toBe(200);
    expect((await call('POST', '/plugin_configs', { body: { plugin: 7 } })).status).toBe(403);
    const other = await service.ports.projects.create({ name: 'Other' }, anAuthor({ at: new Date() }));
    expect((await call('GET', `/../${other.id}/plugin_configs`)).status).toBe(403);
    expect((await call('GET', '/../@current')).body.id).toBe(project.id);
  });

  test('of an unbound key for one project sees that one alone', async ({ service, project }) => {
    const other = await service.ports.projects.create({ name: 'Other' }, anAuthor({ at: new Date() }));
    const free = caller({ base: service.url, token: (await service.issueKey()).token });
    const { body } = await issue(free, { scopes: ['*'], project_ids: [other.id] });
    const call = caller({ base: `${service.url}/api/projects`, token: body.token });
    const projects = await call<{ results: { id: number }[] }>('GET', '');
    expect(projects.body.results.map(({ id }) => id)).toEqual([other.id]);
    expect((await call('GET', '/@current')).body.id).toBe(other.id);
    expect((await call('GET', `/${project.id}`)).status).toBe(403);
    expect((await call('POST', '', { body: { name: 'New' } })).status).toBe(403);
  });

  test('takes the project by its external id', async ({ service }) => {
    const externalId = `tenant-${crypto.randomUUID()}`;
    const draft = { name: 'Tenant', externalId };
    const tenant = await service.ports.projects.create(draft, anAuthor({ at: new Date() }));
    const free = caller({ base: service.url, token: (await service.issueKey()).token });
    const { body } = await issue(free, { scopes: ['plugin:read'], project_ids: [`ext:${externalId}`] });
    const call = caller({ base: `${service.url}/api/projects`, token: body.token });
    expect((await call('GET', `/ext:${externalId}`)).body.id).toBe(tenant.id);
  });

  test('ends with its key, and at its own time', async ({ service, key, withToken }) => {
    const call = await withToken();
    expect((await call('GET', '/plugin_configs')).status).toBe(200);
    const expired = await call<WireErrorBody>('GET', '/plugin_configs', {
      token: tokenUntil(service, key, new Date(Date.now() - 60_000)),
    });
    expect([expired.status, expired.body.detail]).toEqual([401, INVALID]);
    await service.ports.keys.revoke(key.key.id, null, anAuthor({ at: new Date() }));
    const { status, body } = await call<WireErrorBody>('GET', '/plugin_configs');
    expect([status, body.detail]).toEqual([401, INVALID]);
  });

  test('that was changed or signed by somebody else is rejected without a query', async ({
    service,
    withToken,
  }) => {
    const call = await withToken();
    const before = service.statements.length;
    for (const token of [
      `${call.token}x`,
      call.token.slice(0, -2),
      'pct_',
      'pct_a.b',
      `pct_${'a'.repeat(11_000)}`,
    ]) {
      const { status, body } = await call<WireErrorBody>('GET', '/plugin_configs', { token });
      expect([status, body.detail]).toEqual([401, INVALID]);
    }
    expect(service.statements.length).toBe(before);
  });

  test('issues nothing', async ({ service }) => {
    const { token } = await service.issueKey();
    const { body } = await issue(caller({ base: service.url, token }), { scopes: ['*'] });
    const call = caller({ base: service.url, token: body.token });
    const key = { label: 'New', scopes: ['plugin:read'] };
    const responses = [
      await call<WireErrorBody>('POST', '/api/tokens', { body: { scopes: ['plugin:read'] } }),
      await call<WireErrorBody>('POST', '/api/keys', { body: key }),
      await call<WireErrorBody>('GET', '/api/keys'),
      await call<WireErrorBody>('DELETE', '/api/keys/1'),
    ];
    const scope = "A token cannot use the scope 'key:write': send an API key.";
    expect(responses.map(({ status, body: { detail } }) => [status, detail])).toEqual([
      [403, 'A token cannot do this: send an API key.'],
      [403, scope],
      [403, scope],
      [403, scope],
    ]);
  });

  test('of a dry run does not work', async ({ byKey, service }) => {
    const { status, body } = await byKey<WireAccessToken>('POST', '/api/tokens?dry_run=true', {
      body: { scopes: ['plugin:read'] },
    });
    expect(status).toBe(201);
    expect((await caller({ base: service.url, token: body.token })('GET', '/api/key')).status).toBe(401);
  });

  test('is in no line of the log and in no table', async ({ service, withToken, database }) => {
    const call = await withToken({ subject: SUBJECT });
    await call('POST', '/plugin_configs', { body: { plugin: 7 } });
    await call('GET', '/plugin_configs', { token: `${call.token}x` });
    const signature = call.token.split('.').at(-1) ?? '';
    expect(service.log.filter((line) => line.includes(signature))).toEqual([]);
    const { rows } = await database.pool.query<string[]>({
      text: `select table_name from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE'`,
      rowMode: 'array',
    });
    for (const [table = ''] of rows) {
      const sql = `select count(*)::integer from ${table} t where position($1 in t::text) > 0`;
      const { rows: found } = await database.pool.query<number[]>({
        text: sql,
        values: [signature],
        rowMode: 'array',
      });
      expect([table, found[0]?.[0]]).toEqual([table, 0]);
    }
  });
});

describe('a request for a token', () => {
  const REJECTED: readonly (readonly [object, number, string | null])[] = [
    [{}, 400, 'scopes'],
    [{ scopes: [] }, 400, 'scopes'],
    [{ scopes: ['plugin:delete'] }, 400, 'scopes.0'],
    [{ scopes: ['key:write'] }, 400, 'scopes'],
    [{ scopes: ['plugin_registry:write'] }, 403, 'scopes'],
    [{ scopes: ['*'] }, 403, 'scopes'],
    [{ scopes: ['plugin:read'], project_ids: [1_000_000] }, 403, 'project_ids'],
    [{ scopes: ['plugin:read'], project_ids: null }, 403, 'project_ids'],
    [{ scopes: ['plugin:read'], project_ids: ['ext:nobody'] }, 400, 'project_ids'],
    [{ scopes: ['plugin:read'], plugin_ids: [5] }, 400, 'plugin_ids'],
    [{ scopes: ['plugin_runtime'], plugin_ids: ['slug:nobody'] }, 400, 'plugin_ids'],
    [{ scopes: ['plugin:read'], expires_in: 0 }, 400, 'expires_in'],
    [{ scopes: ['plugin:read'], expires_in: 3601 }, 400, 'expires_in'],
    [{ scopes: ['plugin:read'], subject: { id: '' } }, 400, 'subject.id'],
    [{ scopes: ['plugin:read'], subject: { name: 'Ada' } }, 400, 'subject.id'],
    [{ scopes: ['plugin:read'], subject: { id: 'x'.repeat(201) } }, 400, 'subject.id'],
    [{ scopes: ['plugin:read'], subject: { id: 'a', email: 'a@b.c' } }, 400, 'subject.email'],
    [{ scopes: ['plugin:read'], project_id: [1] }, 400, 'project_id'],
  ];
  test.for(REJECTED)('with %j is %i', async ([request, status, attr], { byKey }) => {
    const response = await issue(byKey, request);
    expect([response.status, response.body.attr]).toEqual([status, attr]);
  });

  test('of a session is rejected', async ({ service, key }) => {
    const call = caller({ base: service.url, token: null });
    const headers = ownPage(service.url);
    const signedIn = await call('POST', '/api/session', { body: { key: key.token }, headers });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { status, body } = await call<WireErrorBody>('POST', '/api/tokens', {
      body: { scopes: ['plugin:read'] },
      headers: { ...headers, cookie },
    });
    expect([status, body.detail]).toEqual([403, 'A session cannot do this: send an API key.']);
  });

  test('is one of at most a hundred a second, and counts for the account', async ({ service, byKey }) => {
    // A slow machine answers fewer at once than are allowed.
    let issued = 0;
    const statuses = new Set<number>();
    for (let batch = 0; batch < 20 && !statuses.has(429); batch++) {
      const requests = Array.from({ length: 300 }, () => issue(byKey, { scopes: ['plugin:read'] }));
      for (const { status } of await Promise.all(requests)) {
        statuses.add(status);
        if (status === 201) issued++;
      }
    }
    expect(statuses).toEqual(new Set([201, 429]));
    expect(issued).toBeGreaterThanOrEqual(100);
    const other = caller({ base: service.url, token: (await service.issueKey()).token });
    expect((await issue(other, { scopes: ['plugin:read'] })).status).toBe(201);
  });
});

describe('a key of a request', () => {
  test('is that of a token and its subject, and a renewed token repeats the request', async ({
    withToken,
  }) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const create = async (subject: object) =>
      (await (await withToken({ subject }))('POST', '/plugin_configs', { body: { plugin: 7 }, headers })).body
        .id;
    const first = await create({ id: 'user-1' });
    expect(await create({ id: 'user-1' })).toBe(first);
    expect(await create({ id: 'user-2' })).not.toBe(first);
  });
});

/** Follows a stream, does something, and returns why the stream ends. */
async function endOf(
  url: string,
  token: string,
  act: () => Promise<unknown> = async () => {},
): Promise<unknown> {
  await using stream = await follow(url, { token });
  await act();
  let last: { readonly event: string | null; readonly data: unknown } | null = null;
  for (let event = await stream.next(); event !== null; event = await stream.next()) last = event;
  return (last?.data as { readonly reason?: string } | undefined)?.reason;
}

describe('streams and waits', () => {
  test('a stream ends soon after its token has expired', async ({ service, project, key }) => {
    const token = tokenUntil(service, key, new Date(Date.now() + 1500));
    const url = `${service.url}/api/projects/${project.id}/plugin_configs/stream`;
    expect(await endOf(url, token)).toBe('key_expired');
  });

  test('a stream ends soon after the key of its token was revoked', async ({
    service,
    project,
    key,
    withToken,
  }) => {
    const { token } = await withToken();
    const url = `${service.url}/api/projects/${project.id}/plugin_configs/stream`;
    const end = await endOf(url, token, () =>
      service.ports.keys.revoke(key.key.id, null, anAuthor({ at: new Date() })),
    );
    expect(end).toBe('key_revoked');
  });

  test('a wait ends soon after the key of its token was revoked', async ({ service, key, withToken }) => {
    const call = await withToken({ scopes: ['plugin_runtime'] });
    const tag = (await call('GET', '/plugin_configs/runtime')).headers.get('etag') ?? '';
    const waiting = call('GET', '/plugin_configs/runtime?wait=50', { headers: { 'if-none-match': tag } });
    await service.ports.keys.revoke(key.key.id, null, anAuthor({ at: new Date() }));
    expect((await waiting).status).toBe(401);
  });
});

test('a token outlives a rotation of the master key, as long as the old one is known', async () => {
  const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const before = await openService({}, new Map([['old', old]]));
  onTestFinished(() => before.close());
  const { token } = await before.issueKey();
  const { body } = await issue(caller({ base: before.url, token }), { scopes: ['*'] });
  const after = hmacAccessTokens(
    new Map([
      ['next', next],
      ['old', old],
    ]),
  );
  expect(after.verify(body.token)).toMatchObject({ scopes: ['*'] });
});
