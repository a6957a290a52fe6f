import { anAuthor } from '@plugin-config/testing';
import { aesSessionCipher, readSecretsKeys } from '@plugin-config/persistence';
import type { WireErrorBody } from '@plugin-config/contract';
import { describe, expect, onTestFinished } from 'vitest';
import { caller, type ReceivedResponse } from '../testing/caller.ts';
import { follow } from '../testing/follow.ts';
import { ownPage } from '../testing/own-page.ts';
import { rawRequest } from '../testing/raw-request.ts';
import {
  expireSoon,
  openService,
  test as base,
  type IssuedKey,
  type Service,
} from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const NAME = '__Host-plugin_config_session';
const HOUR = 60 * 60_000;
const OTHER = 'https://app.example.com';

type Headers = Readonly<Record<string, string>>;

const anonymous = ({ url }: Service) => caller({ base: url, token: null });

/** Returns the only cookie a response sets. */
function setCookieOf({ headers }: ReceivedResponse<unknown>): string {
  const [cookie = '', ...others] = headers.getSetCookie();
  expect(others).toEqual([]);
  return cookie;
}

const pairOf = (cookie: string): string => cookie.split(';')[0] ?? '';

async function signIn(service: Service, key: string, headers: Headers = {}) {
  const request = { body: { key }, headers: { ...ownPage(service.url), ...headers } };
  return anonymous(service)<WireErrorBody>('POST', '/api/session', request);
}

async function cookieOf(service: Service, { token }: IssuedKey): Promise<string> {
  const response = await signIn(service, token);
  expect(response.status).toBe(204);
  return pairOf(setCookieOf(response));
}

/** Sends a request with this cookie, like a page of the service. */
function callFromPage(
  service: Service,
  cookie: string,
  method = 'GET',
  path = '/api/session',
  headers: Headers = {},
) {
  return anonymous(service)<Wire<'ownKey'> & WireErrorBody>(method, path, {
    headers: { ...ownPage(service.url), cookie, ...headers },
  });
}

/** Returns a session cookie with these ages. */
function agedCookie(
  service: Service,
  { token }: IssuedKey,
  ages: { begunMs: number; usedMs: number },
): string {
  const at = Date.now();
  const session = {
    keyHash: service.ports.hasher.hash(token),
    begunAt: new Date(at - ages.begunMs),
    usedAt: new Date(at - ages.usedMs),
  };
  return `${NAME}=${service.ports.sessionCipher.encrypt(session)}`;
}

interface Fixtures {
  readonly key: IssuedKey;
  readonly cookie: string;
}

const test = base.extend<Fixtures>({
  key: async ({ service }, use) => use(await service.issueKey()),
  cookie: async ({ service, key }, use) => use(await cookieOf(service, key)),
});

describe('a page', () => {
  test('signs in, acts with the permissions of its key, and signs out', async ({ service, key, project }) => {
    const signedIn = await signIn(service, key.token);
    expect([signedIn.status, signedIn.text, signedIn.headers.get('cache-control')]).toEqual([
      204,
      '',
      'no-store',
    ]);
    const cookie = setCookieOf(signedIn);
    expect(cookie).toMatch(
      new RegExp(`^${NAME}=[\\w-]{96}; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure$`),
    );
    const own = await callFromPage(service, pairOf(cookie));
    expect([own.status, own.body.id, own.body.label]).toEqual([200, key.key.id, 'test key']);
    const created = await anonymous(service)('POST', `/api/projects/${project.id}/plugin_configs`, {
      headers: { ...ownPage(service.url), cookie: pairOf(cookie) },
      body: { plugin: 7 },
    });
    expect(created.status).toBe(201);
    const signedOut = await callFromPage(service, pairOf(cookie), 'DELETE');
    expect([signedOut.status, setCookieOf(signedOut)]).toEqual([
      204,
      `${NAME}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure`,
    ]);
  });

  test('has no more permissions than the key of its session', async ({ service, project }) => {
    const cookie = await cookieOf(service, await service.issueKey({ scopes: ['plugin:read'] }));
    const path = `/api/projects/${project.id}/plugin_configs`;
    expect((await callFromPage(service, cookie, 'GET', path)).status).toBe(200);
    expect((await callFromPage(service, cookie, 'DELETE', `${path}/1`)).status).toBe(403);
  });

  test('follows a stream, which ends when its key is revoked', async ({ service, key, cookie, project }) => {
    const url = `${service.url}/api/projects/${project.id}/plugin_configs/stream`;
    await using stream = await follow(url, { token: null, headers: { ...ownPage(service.url), cookie } });
    expect(await stream.next()).toMatchObject({ event: null });
    await service.ports.keys.revoke(key.key.id, null, anAuthor({ at: new Date() }));
    expect(await stream.named(1)).toMatchObject([{ event: 'end', data: { reason: 'key_revoked' } }]);
  });

  test('can sign out without a session and during a database outage', async ({ service }) => {
    service.statements.length = 0;
    expect((await callFromPage(service, '', 'DELETE')).status).toBe(204);
    expect(service.statements).toEqual([]);
  });

  test('has a session if its URL is typed in, but a program does not', async ({ service, cookie }) => {
    const typed = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
    // `fetch` would override the mode.
    const navigated = await rawRequest(service.url, [
      'GET /api/session HTTP/1.1',
      `Host: ${new URL(service.url).host}`,
      `Cookie: ${cookie}`,
      ...Object.entries(typed).map((header) => header.join(': ')),
      'Connection: close',
    ]);
    expect(navigated.status).toBe(200);
    const program = await anonymous(service)('GET', '/api/session', { headers: { cookie } });
    expect(program.status).toBe(401);
  });
});

describe('a session ends', () => {
  test('when its key is revoked', async ({ service, key, cookie }) => {
    await service.ports.keys.revoke(key.key.id, null, anAuthor({ at: new Date() }));
    expect((await callFromPage(service, cookie)).status).toBe(401);
  });

  test('when its key expires', async ({ service, database }) => {
    const key = await service.issueKey();
    const cookie = await cookieOf(service, key);
    await expireSoon(database, key);
    await expect.poll(async () => (await callFromPage(service, cookie)).status).toBe(401);
  });

  test('after SESSION_HOURS', async () => {
    const service = await openService({ sessionHours: 1 });
    onTestFinished(() => service.close());
    const key = await service.issueKey();
    const cookie = agedCookie(service, key, { begunMs: HOUR, usedMs: 0 });
    expect((await callFromPage(service, cookie)).status).toBe(401);
  });

  test('for the browser that signs out; a stolen copy works until it expires or its key ends', async ({
    service,
    key,
    cookie,
  }) => {
    await callFromPage(service, cookie, 'DELETE');
    expect((await callFromPage(service, cookie)).status).toBe(200);
    await service.ports.keys.revoke(key.key.id, null, anAuthor({ at: new Date() }));
    expect((await callFromPage(service, cookie)).status).toBe(401);
  });
});

describe('a cookie is ignored', () => {
  test('if there is an Authorization header', async ({ service, cookie }) => {
    for (const authorization of ['', 'Bearer', 'Bearer nonsense', 'Basic eDp5']) {
      const { status } = await callFromPage(service, cookie, 'GET', '/api/session', { authorization });
      expect([authorization, status]).toEqual([authorization, 401]);
    }
    const other = await service.issueKey();
    const response = await callFromPage(service, cookie, 'GET', '/api/session', {
      authorization: `Bearer ${other.token}`,
    });
    expect([response.status, response.body.id]).toEqual([200, other.key.id]);
  });

  test('from pages of CORS_ORIGINS, which need a key', async () => {
    const service = await openService({ corsOrigins: new Set([OTHER]) });
    onTestFinished(() => service.close());
    const key = await service.issueKey();
    const cookie = await cookieOf(service, key);
    for (const site of ['cross-site', 'same-site', 'same-origin']) {
      const headers = { origin: OTHER, 'sec-fetch-site': site };
      const response = await callFromPage(service, cookie, 'GET', '/api/projects', headers);
      expect([response.status, response.headers.get('access-control-allow-credentials')]).toEqual([
        401,
        null,
      ]);
      expect((await signIn(service, key.token, headers)).status).toBe(403);
    }
  });

  test('for a write without an origin', async ({ service, cookie, project }) => {
    const path = `/api/projects/${project.id}/plugin_configs`;
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    expect((await anonymous(service)('POST', path, { headers, body: { plugin: 7 } })).status).toBe(401);
  });

  test('if its key is no longer in SECRETS_KEYS', async ({ service, key }) => {
    const text = `test:${Buffer.alloc(32, 8).toString('base64')}`;
    const { encrypt } = aesSessionCipher(readSecretsKeys(text) ?? new Map());
    const at = new Date();
    const session = { keyHash: service.ports.hasher.hash(key.token), begunAt: at, usedAt: at };
    expect((await callFromPage(service, `${NAME}=${encrypt(session)}`)).status).toBe(401);
  });

  test('if it is forged or has the name for plain HTTP', async ({ service, key, cookie }) => {
    const value = cookie.slice(NAME.length + 1);
    const tampered = `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`;
    const hash = service.ports.hasher.hash(key.token);
    const forged = [
      tampered,
      hash,
      key.token,
      value.slice(1),
      `${value}A`,
      '',
      '"',
      '%00',
      'A'.repeat(10_000),
    ];
    for (const one of forged)
      expect([one, (await callFromPage(service, `${NAME}=${one}`)).status]).toEqual([one, 401]);
    expect((await callFromPage(service, `plugin_config_session=${value}`)).status).toBe(401);
  });

  test('if there are several, since another site may have set one', async ({ service, cookie }) => {
    const other = await cookieOf(service, await service.issueKey());
    expect((await callFromPage(service, `a=1; ${cookie}; b=2`)).status).toBe(200);
    for (const cookies of [`${cookie}; ${other}`, `${other}; ${cookie}`, `${cookie};${cookie}`])
      expect((await callFromPage(service, cookies)).status).toBe(401);
  });

  test('if it is too large', async ({ service, cookie }) => {
    expect((await callFromPage(service, `${cookie}; a=${'x'.repeat(1024 * 1024)}`)).status).toBe(431);
    expect((await callFromPage(service, `${'a;'.repeat(6000)}${cookie}`)).status).toBe(200);
  });
});

describe('signing in', () => {
  test('replaces a session that an attacker has planted', async ({ service, key }) => {
    const fixed = await cookieOf(service, await service.issueKey());
    const response = await signIn(service, key.token, { cookie: fixed });
    const own = pairOf(setCookieOf(response));
    expect(own).not.toBe(fixed);
    expect((await callFromPage(service, own)).body.id).toBe(key.key.id);
  });

  test('is rejected for pages of other origins, like signing out', async ({ service, key, cookie }) => {
    const headers = { origin: OTHER, 'sec-fetch-site': 'cross-site' };
    const rejected = [
      await signIn(service, key.token, headers),
      await callFromPage(service, cookie, 'DELETE', '/api/session', headers),
      await anonymous(service)('POST', '/api/session', { body: { key: key.token } }),
    ];
    for (const { status, headers: received, text } of rejected) {
      expect([status, received.getSetCookie()]).toEqual([403, []]);
      expect(text).toContain(`Sessions are only available to pages of ${service.url}.`);
    }
  });

  test.for(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
    'is rejected for forms: %s',
    async (type, { service, key }) => {
      const body = type.startsWith('text') ? `{"key":"${key.token}"}` : `key=${key.token}`;
      const response = await anonymous(service)('POST', '/api/session', {
        body,
        headers: { ...ownPage(service.url), 'content-type': type },
      });
      expect([response.status, response.headers.getSetCookie()]).toEqual([415, []]);
    },
  );

  test('reports what is wrong with a key, and sets no cookie', async ({ service }) => {
    const revoked = await service.issueKey();
    await service.ports.keys.revoke(revoked.key.id, null, anAuthor({ at: new Date() }));
    const expired = await service.issueKey({ lifetimeMs: 1, at: new Date(0) });
    const wrong = [
      ['nonsense', 'This key is unknown.'],
      [`phx_${'a'.repeat(43)}`, 'This key is unknown.'],
      [revoked.token, 'This key is revoked.'],
      [expired.token, 'This key has expired.'],
    ] as const;
    for (const [token, detail] of wrong) {
      const { status, body, headers } = await signIn(service, token);
      expect([status, body, headers.getSetCookie()]).toEqual([
        401,
        { type: 'authentication_error', code: 'authentication_failed', detail, attr: 'key' },
        [],
      ]);
    }
  });

  test('only accepts a small body', async ({ service }) => {
    const { status, body } = await signIn(service, 'x'.repeat(20_000));
    expect([status, body.detail]).toEqual([413, 'The request body may be no larger than 16 KiB.']);
  });

  test('is limited by address, but only if it fails', async () => {
    const service = await openService({ trustProxy: '127.0.0.1' });
    onTestFinished(() => service.close());
    const { token } = await service.issueKey();
    const from = { 'x-forwarded-for': '10.0.0.1' };
    for (let i = 0; i < 20; i++) expect((await signIn(service, token, from)).status).toBe(204);
    const startedAt = performance.now();
    const failed = await Promise.all(Array.from({ length: 20 }, () => signIn(service, 'nonsense', from)));
    // Another attempt is allowed every six seconds, and on a busy machine these may take that long.
    const due = 10 + Math.floor((performance.now() - startedAt) / 6_000);
    const admitted = failed.map(({ status }) => status).filter((status) => status !== 429);
    expect(new Set(admitted)).toEqual(new Set([401]));
    expect(admitted.length).toBeGreaterThanOrEqual(10);
    expect(admitted.length).toBeLessThanOrEqual(due);
    await signIn(service, 'nonsense', from);
    const rejected = await signIn(service, token, from);
    expect([rejected.status, rejected.body.code]).toEqual([429, 'throttled']);
    expect(Number(rejected.headers.get('retry-after'))).toBeOneOf([1, 2, 3, 4, 5, 6]);
    expect((await signIn(service, token, { 'x-forwarded-for': '10.0.0.2' })).status).toBe(204);
  });

  test('leaves neither key nor cookie in the log or the audit log', async ({ service, key, cookie }) => {
    await callFromPage(service, cookie);
    await callFromPage(service, cookie, 'DELETE');
    await signIn(service, key.token, { origin: OTHER });
    const audit = await caller({ base: service.url, token: key.token })('GET', '/api/audit?limit=1000');
    const written = `${service.log.join('\n')}${audit.text}`;
    expect(written).toContain('/api/session');
    for (const secret of [key.token, service.ports.hasher.hash(key.token), cookie.slice(NAME.length + 1)])
      expect(written).not.toContain(secret);
  });
});

describe('the public URL', () => {
  test('can be that of a TLS proxy, with PUBLIC_URL or TRUST_PROXY', async () => {
    const origin = 'https://plugins.example.com';
    const settings = [{ publicUrl: `${origin}/base` }, { trustProxy: true }];
    for (const setting of settings) {
      const service = await openService(setting);
      onTestFinished(() => service.close());
      const { token } = await service.issueKey();
      const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'plugins.example.com' };
      const response = await signIn(service, token, { origin, ...forwarded });
      expect([response.status, setCookieOf(response)]).toEqual([
        204,
        expect.stringMatching(/^__Host-.+; Secure$/),
      ]);
      const read = await callFromPage(service, pairOf(setCookieOf(response)), 'GET', '/api/session', {
        origin,
        ...forwarded,
      });
      expect(read.status).toBe(200);
    }
  });

  test('must be configured behind a proxy: the error of a sign-in says so', async ({ service, key }) => {
    const response = await signIn(service, key.token, { origin: 'https://plugins.example.com' });
    expect([response.status, response.body.detail]).toEqual([403, expect.stringContaining('PUBLIC_URL')]);
  });

  test('can be plain HTTP: the cookie has neither prefix nor Secure', async () => {
    const origin = 'http://10.0.0.5:8000';
    const service = await openService({ publicUrl: origin });
    onTestFinished(() => service.close());
    const { token } = await service.issueKey();
    const call = anonymous(service);
    const response = await call('POST', '/api/session', { headers: { origin }, body: { key: token } });
    expect(setCookieOf(response)).toMatch(
      /^plugin_config_session=[\w-]{96}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict$/,
    );
    const cookie = pairOf(setCookieOf(response));
    expect((await call('GET', '/api/session', { headers: { cookie } })).status).toBe(200);
    const other = { cookie, origin: 'http://10.0.0.5:9000' };
    expect((await call('GET', '/api/session', { headers: other })).status).toBe(401);
    expect((await call('DELETE', '/api/session', { headers: other })).status).toBe(403);
  });

  test('requires a valid host', async ({ service, cookie }) => {
    const host = '1.2.3.999';
    const { status } = await rawRequest(service.url, [
      'GET /api/session HTTP/1.1',
      `Host: ${host}`,
      `Cookie: ${cookie}`,
      'Connection: close',
    ]);
    expect(status).toBe(401);
  });
});
