import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireEndedSessions } from '@plugin-config/contract';
import { SIGN_IN_MS, type SignInAttempt } from '@plugin-config/domain';
import { aesSignInCipher } from '@plugin-config/persistence';
import { documentOf, sendDocument, startIssuer, type Issuer } from '@plugin-config/server/testing';
import { describe, expect, onTestFinished } from 'vitest';
import { caller, type Call } from '../../testing/caller.ts';
import { follow } from '../../testing/follow.ts';
import { ownPage } from '../../testing/own-page.ts';
import { openService, test as base, type Service } from '../../testing/service.fixture.ts';
import type { OidcSettings } from './oidc.routes.ts';
import type { Wire } from '../../testing/wire.ts';

const PUBLIC_URL = 'https://plugins.example.com/base';
const CLIENT = { clientId: 'console', clientSecret: 'client-secret-value' };
const COOKIE = '__Secure-plugin_config_sign_in';
const SESSION = '__Host-plugin_config_session';
const DISCOVERY = '/.well-known/openid-configuration';
const USER = { sub: '248289761001', name: 'Ada Lovelace', groups: ['staff', 'support'] };

const settingsFor = ({ url }: Issuer): OidcSettings => ({
  ...CLIENT,
  issuer: url,
  publicUrl: PUBLIC_URL,
  rules: {
    claim: 'groups',
    roles: [
      { value: 'admins', scopes: ['*'], projectIds: null },
      { value: 'support', scopes: ['plugin:write'], projectIds: null },
      { value: 'acme', scopes: ['plugin:read'], projectIds: ['ext:nobody'] },
    ],
  },
});

interface Fixtures {
  readonly issuer: Issuer;
  readonly provider: Provider;
  readonly byAdmin: Call;
}

/** Opens a service that is reached at `PUBLIC_URL` through a proxy, which strips the path. */
const openFor = (issuer: Issuer, settings: Parameters<typeof openService>[0] = {}): Promise<Service> =>
  openService({ publicUrl: PUBLIC_URL, trustProxy: true, oidc: settingsFor(issuer), ...settings });

const test = base.extend<Fixtures & { readonly service: Service }>({
  issuer: [
    async ({}, use) => {
      const issuer = await startIssuer();
      for (const alg of ['ES256', 'RS512'] as const) await issuer.addKey(alg);
      await use(issuer);
      await issuer.close();
    },
    { scope: 'file' },
  ],
  service: [
    async ({ issuer }, use) => {
      const service = await openFor(issuer);
      await use(service);
      await service.close();
    },
    { scope: 'file' },
  ],
  provider: [
    async ({ issuer }, use) => {
      await use(providerAt(issuer));
      issuer.responses.clear();
    },
    { auto: true },
  ],
  byAdmin: async ({ service }, use) =>
    use(caller({ base: service.url, token: (await service.issueKey()).token })),
});

type Claims = Readonly<Record<string, unknown>>;

interface Provider {
  /** The token requests it got. */
  readonly requests: { readonly form: URLSearchParams; readonly authorization: string }[];
  /** Lets the user sign in, and returns the parameters with which the browser comes back. */
  signIn(location: string, claims?: Claims): string;
  /** Replaces the tokens that it issues. */
  tokens: (claims: Claims) => Promise<string>;
}

/** The provider's token endpoint, which takes each code once. */
function providerAt(issuer: Issuer): Provider {
  const codes = new Map<string, Claims>();
  const provider: Provider = {
    requests: [],
    tokens: (claims) => issuer.sign(claims),
    signIn(location, claims = USER) {
      const { searchParams } = new URL(location);
      const code = `code-${crypto.randomUUID()}`;
      codes.set(code, { aud: CLIENT.clientId, nonce: searchParams.get('nonce'), ...claims });
      return String(new URLSearchParams({ code, state: searchParams.get('state') ?? '' }));
    },
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    provider.requests.push({ form, authorization: request.headers.authorization ?? '' });
    const code = form.get('code') ?? '';
    const claims = codes.get(code);
    codes.delete(code);
    if (claims === undefined) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'invalid_grant', error_description: `<b>${code}</b>` }));
      return;
    }
    const idToken = await provider.tokens(claims);
    sendDocument(response, { access_token: 'access-token-value', token_type: 'Bearer', id_token: idToken });
  };
  issuer.responses.set('/token', (request, response) => void respond(request, response));
  return provider;
}

let addresses = 0;

async function get({ url }: Service, path: string, headers: Readonly<Record<string, string>> = {}) {
  const address = `10.1.${++addresses >> 8}.${addresses % 256}`;
  // As a browser that comes from the provider.
  const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  const response = await fetch(`${url}/api/session/oidc/${path}`, {
    headers: { 'x-forwarded-for': address, ...navigation, ...headers },
    redirect: 'manual',
  });
  const cookies = response.headers.getSetCookie();
  const { status } = response;
  return { status, headers: response.headers, cookies, html: await response.text() };
}

/** Begins a sign-in. Returns the address of the provider, and the cookie. */
async function begin(service: Service, page = '/base/console/projects/1') {
  const { status, headers, cookies } = await get(service, `start?page=${encodeURIComponent(page)}`);
  expect([status, cookies.length]).toEqual([303, 1]);
  const location = headers.get('location') ?? '';
  return { location, cookie: cookies[0]?.split(';')[0] ?? '' };
}

const finish = (service: Service, cookie: string, parameters: string) =>
  get(service, `callback?${parameters}`, cookie === '' ? {} : { cookie });

/** Signs a user in, and returns the cookie of the session. */
async function signIn(service: Service, provider: Provider, claims: Claims = USER): Promise<string> {
  const { location, cookie } = await begin(service);
  const { status, cookies, html } = await finish(service, cookie, provider.signIn(location, claims));
  expect([status, html]).toEqual([303, '']);
  return cookies.find((one) => one.startsWith(SESSION))?.split(';')[0] ?? '';
}

const pageOf =
  ({ url }: Service, cookie: string): Call =>
  (method, path, options = {}) =>
    caller({ base: url, token: null })(method, path, {
      ...options,
      headers: { ...ownPage(new URL(PUBLIC_URL).origin), cookie },
    });

describe('a sign-in', () => {
  test('begins at the provider, with PKCE, state and nonce, and a redirect address from PUBLIC_URL', async ({
    service,
    issuer,
  }) => {
    const { location, cookie } = await begin(service);
    const { origin, pathname, searchParams } = new URL(location);
    expect([origin, pathname]).toEqual([issuer.url, '/authorize']);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: CLIENT.clientId,
      response_type: 'code',
      redirect_uri: `${PUBLIC_URL}/api/session/oidc/callback`,
      scope: 'openid profile groups',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(cookie).not.toContain(searchParams.get('state'));
    const again = await begin(service);
    expect(new URL(again.location).searchParams.get('state')).not.toBe(searchParams.get('state'));
  });

  test('keeps its state in a cookie for ten minutes, which goes only to the callback', async ({
    service,
  }) => {
    const { cookies, headers } = await get(service, 'start');
    expect(cookies).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${COOKIE}=[\\w-]{200,}; Max-Age=600; Path=/base/api/session/oidc; HttpOnly; SameSite=Lax; Secure$`,
        ),
      ),
    ]);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
  });

  test('ends in a session with the rights of the first role that matches', async ({
    service,
    provider,
    project,
    byAdmin,
  }) => {
    const { location, cookie } = await begin(service, '/base/console/projects/1?a=b#c');
    const { status, headers, cookies } = await finish(service, cookie, provider.signIn(location));
    expect([status, headers.get('location')]).toEqual([
      303,
      'https://plugins.example.com/base/console/projects/1?a=b#c',
    ]);
    expect(cookies).toEqual([
      `${COOKIE}=; Max-Age=0; Path=/base/api/session/oidc; HttpOnly; SameSite=Lax; Secure`,
      expect.stringMatching(
        new RegExp(`^${SESSION}=[\\w-]{96}; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict; Secure$`),
      ),
    ]);
    const call = pageOf(service, cookies[1]?.split(';')[0] ?? '');
    const own = await call<Wire<'ownKey'>>('GET', '/api/session');
    expect(own.body).toMatchObject({
      label: 'Ada Lovelace',
      scopes: ['plugin:write'],
      project_ids: null,
      subject: { id: USER.sub },
    });
    const path = `/api/projects/${project.id}/plugin_configs`;
    const { body: record } = await call<{ id: number }>('POST', path, { body: { plugin: 7 } });
    const activity = await call<Wire<'activityView'>>('GET', `${path}/${record.id}/activity`);
    const actor = { key_id: null, label: 'Ada Lovelace', subject: { id: USER.sub } };
    expect(activity.body.results.map((entry) => entry.actor)).toEqual([actor]);
    expect((await call('GET', '/api/keys')).status).toBe(403);
    expect((await call('POST', '/api/tokens', { body: { scopes: ['plugin:read'] } })).status).toBe(403);
    const audit = await byAdmin<{ results: object[] }>('GET', '/api/audit?limit=1');
    expect(audit.body.results).toMatchObject([
      { action: 'signed_in', actor, subject: { type: 'user', name: 'Ada Lovelace' } },
    ]);
  });

  test('sends the code once, with the verifier of the challenge and the secret of the client', async ({
    service,
    provider,
  }) => {
    await signIn(service, provider);
    expect(provider.requests).toHaveLength(1);
    const [{ form, authorization } = { form: new URLSearchParams(), authorization: '' }] = provider.requests;
    expect(Object.fromEntries(form)).toEqual({
      grant_type: 'authorization_code',
      code: expect.stringMatching(/^code-/),
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${PUBLIC_URL}/api/session/oidc/callback`,
    });
    const credentials = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
    expect(decodeURIComponent(credentials)).toBe(`${CLIENT.clientId}:${CLIENT.clientSecret}`);
  });

  test('reads nothing of the provider before it begins, and its keys once', async ({ issuer }) => {
    const before = issuer.requests.length;
    const service = await openFor(issuer);
    onTestFinished(() => service.close());
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(issuer.requests.slice(before)).toEqual([]);
    await begin(service);
    await begin(service);
    expect(issuer.requests.slice(before)).toEqual([DISCOVERY, '/keys']);
  });

  const ELSEWHERE = [
    'https://evil.example/base/console',
    '//evil.example/base/console',
    '/\\evil.example/base/console',
    '/base/console/../../api/schema',
    '/base/consoles',
    '/console',
    'javascript:alert(1)',
    `/base/console/${'x'.repeat(1000)}`,
  ];
  test.for(ELSEWHERE)('does not continue at %s', async (page, { service, provider }) => {
    const { location, cookie } = await begin(service, page);
    const { headers } = await finish(service, cookie, provider.signIn(location));
    expect(headers.get('location')).toBe('https://plugins.example.com/base/console');
  });

  test('leaves no code, token, secret or cookie in the log, the metrics and the tables', async ({
    service,
    provider,
    database,
  }) => {
    let idToken = '';
    const { tokens } = provider;
    provider.tokens = async (claims) => (idToken = await tokens(claims));
    const { location, cookie } = await begin(service);
    const parameters = provider.signIn(location);
    const { cookies } = await finish(service, cookie, parameters);
    await finish(service, cookie, parameters);
    const other = await begin(service);
    await finish(service, other.cookie, `${parameters}&error=access_denied`);
    provider.tokens = (claims) => tokens({ ...claims, nonce: 'wrong' });
    const third = await begin(service);
    await finish(service, third.cookie, provider.signIn(third.location));
    const { searchParams } = new URL(location);
    const session = cookies[1]?.split(';')[0]?.split('=')[1] ?? '';
    const secrets = [
      new URLSearchParams(parameters).get('code'),
      searchParams.get('state'),
      searchParams.get('nonce'),
      idToken.split('.')[2],
      'access-token-value',
      CLIENT.clientSecret,
      cookie.split('=')[1],
      session,
      ...(provider.requests[0]?.form.get('code_verifier') ?? '').split(' '),
    ].map((secret) => {
      expect(secret?.length).toBeGreaterThan(15);
      return secret ?? '';
    });
    const leaked = (text: string): boolean => secrets.some((secret) => text.includes(secret));
    expect(service.log.some((line) => line.includes('a sign-in failed'))).toBe(true);
    expect(service.log.filter(leaked)).toEqual([]);
    expect(leaked(await (await fetch(`${service.url}/metrics`)).text())).toBe(false);
    for (const table of ['api_key', 'audit', 'exchanged_token']) {
      const { rows } = await database.pool.query<{ text: string }>(`select t::text as text from ${table} t`);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter(({ text }) => leaked(text))).toEqual([]);
    }
  });
});

interface Attempt {
  readonly service: Service;
  readonly issuer: Issuer;
  readonly provider: Provider;
}

/** Sends a request to the callback that is wrong in one way. */
type Rejected = (attempt: Attempt) => ReturnType<typeof finish>;

const withParameters =
  (change: (parameters: URLSearchParams, issuer: Issuer) => void): Rejected =>
  async ({ service, provider, issuer }) => {
    const { location, cookie } = await begin(service);
    const parameters = new URLSearchParams(provider.signIn(location));
    change(parameters, issuer);
    return finish(service, cookie, String(parameters));
  };
const withClaims =
  (claims: () => Claims): Rejected =>
  async ({ service, provider }) => {
    const { location, cookie } = await begin(service);
    return finish(service, cookie, provider.signIn(location, { ...USER, ...claims() }));
  };
/** Issues this token instead of the right one. */
const withToken =
  (tokenOf: (token: string, issuer: Issuer, claims: Claims) => string | Promise<string>): Rejected =>
  async ({ service, provider, issuer }) => {
    const { tokens } = provider;
    provider.tokens = async (claims) => tokenOf(await tokens(claims), issuer, claims);
    const { location, cookie } = await begin(service);
    return finish(service, cookie, provider.signIn(location));
  };
/** Has this cookie instead of its own. */
const withCookie =
  (cookieOf: (own: string, service: Service) => string): Rejected =>
  async ({ service, provider }) => {
    const { location, cookie } = await begin(service);
    return finish(service, cookieOf(cookie, service), provider.signIn(location));
  };
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;
const changed = ({ ports }: Service, own: string, change: Partial<SignInAttempt>): string => {
  const attempt = ports.signInCipher.decrypt(own.split('=')[1] ?? '');
  if (attempt === null) throw new Error('The cookie cannot be decrypted.');
  return `${COOKIE}=${ports.signInCipher.encrypt({ ...attempt, ...change })}`;
};
const OTHER_KEYS = new Map([['key', Buffer.alloc(32, 'other')]]);

const NOT_HERE = /did not begin in this browser at https:\/\/plugins\.example\.com\/base, another began/;
const REJECTED: readonly (readonly [string, Rejected, number, RegExp])[] = [
  ['no cookie', withCookie(() => ''), 400, NOT_HERE],
  ['two cookies', withCookie((own) => `${own}; ${own}`), 400, NOT_HERE],
  ['a changed cookie', withCookie((own) => own.replace(/.{4}$/, 'AAAA')), 400, NOT_HERE],
  [
    'a cookie that is older than ten minutes',
    withCookie((own, service) => changed(service, own, { begunAt: new Date(Date.now() - SIGN_IN_MS) })),
    400,
    NOT_HERE,
  ],
  [
    'a cookie of another service',
    withCookie((own, { ports }) => {
      const attempt = ports.signInCipher.decrypt(own.split('=')[1] ?? '');
      return `${COOKIE}=${attempt && aesSignInCipher(OTHER_KEYS).encrypt(attempt)}`;
    }),
    400,
    NOT_HERE,
  ],
  [
    'the cookie of another sign-in',
    withCookie((own, service) => changed(service, own, { state: 'other' })),
    400,
    NOT_HERE,
  ],
  ['another state', withParameters((sent) => sent.set('state', 'other')), 400, NOT_HERE],
  ['no state', withParameters((sent) => sent.delete('state')), 400, NOT_HERE],
  ['no code', withParameters((sent) => sent.delete('code')), 400, /code/],
  [
    'a code that is used again',
    async ({ service, provider }) => {
      const { location, cookie } = await begin(service);
      const parameters = provider.signIn(location);
      expect((await finish(service, cookie, parameters)).status).toBe(303);
      return finish(service, cookie, parameters);
    },
    400,
    /did not accept the sign-in \(invalid_grant\)/,
  ],
  [
    'a state that is used again at a provider that accepts a code twice',
    async ({ service, provider }) => {
      const { location, cookie } = await begin(service);
      expect((await finish(service, cookie, provider.signIn(location))).status).toBe(303);
      return finish(service, cookie, provider.signIn(location));
    },
    400,
    /was completed before/,
  ],
  [
    'another issuer in the parameters',
    withParameters((sent, { url }) => sent.set('iss', `${url}/`)),
    400,
    /unexpected "iss"/,
  ],
  [
    'an error of the provider',
    withParameters((sent) => {
      sent.delete('code');
      sent.set('error', 'access_denied');
      sent.set('error_description', '<script>alert(1)</script>');
    }),
    403,
    /did not sign you in \(access_denied\)/,
  ],
  [
    'an error that is no code',
    withParameters((sent) => sent.set('error', '<script>')),
    403,
    /did not sign you in\./,
  ],
  ['no nonce', withClaims(() => ({ nonce: undefined })), 400, /nonce/],
  ['another nonce', withClaims(() => ({ nonce: 'other' })), 400, /nonce/],
  ['another issuer in the token', withClaims(() => ({ iss: 'https://other.example' })), 400, /"iss"/],
  ['another audience', withClaims(() => ({ aud: 'other' })), 400, /"aud"/],
  ['another authorized party', withClaims(() => ({ aud: ['console', 'b'], azp: 'b' })), 400, /"azp"/],
  ['an end that has passed', withClaims(() => ({ exp: seconds(-31) })), 400, /timestamp/i],
  ['no end', withClaims(() => ({ exp: undefined })), 400, /"exp"/],
  ['no subject', withClaims(() => ({ sub: undefined })), 400, /"sub"/],
  ['an endless subject', withClaims(() => ({ sub: 'x'.repeat(256) })), 403, /no valid subject/],
  [
    'no signature',
    withToken((token) => {
      const [, body] = token.split('.');
      return `${part({ alg: 'none' })}.${body}.`;
    }),
    400,
    /alg|signed JWT|JWS/,
  ],
  [
    'the secret of the client as the key of an HMAC',
    withToken((token) => {
      const signed = `${part({ alg: 'HS256' })}.${token.split('.')[1]}`;
      return `${signed}.${createHmac('sha256', CLIENT.clientSecret).update(signed).digest('base64url')}`;
    }),
    400,
    /"alg"/,
  ],
  [
    'the algorithm RS512',
    withToken((_, issuer, claims) => issuer.sign(claims, { alg: 'RS512' })),
    400,
    /"alg"/,
  ],
  [
    'the key of another issuer',
    withToken(async (_, issuer, claims) => {
      const other = await startIssuer();
      const token = await other.sign({ ...claims, iss: issuer.url });
      await other.close();
      return token;
    }),
    400,
    /signature is wrong/,
  ],
  [
    'other claims than were signed',
    withToken((token, _, claims) => {
      const [header, body = '', signature] = token.split('.');
      const signed = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
      return `${header}.${part({ ...signed, ...claims, groups: ['admins'] })}.${signature}`;
    }),
    400,
    /signature is wrong/,
  ],
  [
    'no token',
    async ({ service, provider, issuer }) => {
      issuer.responses.set('/token', (_, response) =>
        sendDocument(response, { access_token: 'a', token_type: 'Bearer' }),
      );
      const { location, cookie } = await begin(service);
      return finish(service, cookie, provider.signIn(location));
    },
    400,
    /id_token/,
  ],
  [
    'a user without a role',
    withClaims(() => ({ groups: ['secret-group'] })),
    403,
    /No role matches your claim groups\. The identity provider sent these claims: aud, environment, exp, groups, iat, iss, jti, name, nbf, nonce, repository_id, sub\./,
  ],
  [
    'a user without the claim',
    withClaims(() => ({ groups: undefined })),
    403,
    /^Your sign-in has no claim groups\. The identity provider sent these claims/,
  ],
  [
    'a role for a project that does not exist',
    withClaims(() => ({ groups: 'acme' })),
    403,
    /project of your role/,
  ],
  [
    'a token endpoint that is away',
    async ({ service, provider, issuer }) => {
      issuer.responses.set('/token', (_, response) => void response.destroy());
      const { location, cookie } = await begin(service);
      return finish(service, cookie, provider.signIn(location));
    },
    503,
    /cannot be reached/,
  ],
  [
    'a token endpoint that redirects',
    async ({ service, provider, issuer }) => {
      issuer.responses.set('/token', (_, response) => {
        response.writeHead(307, { location: `${issuer.url}/other` }).end();
      });
      const { location, cookie } = await begin(service);
      return finish(service, cookie, provider.signIn(location));
    },
    400,
    /not accepted/,
  ],
];

test.for(REJECTED)(
  '%s is rejected with a page',
  async ([, send, status, text], { service, issuer, provider }) => {
    const { html, cookies, headers, ...response } = await send({ service, issuer, provider });
    const [, shown = ''] = /<p>(.*?)<\/p>/.exec(html.replaceAll('&quot;', '"')) ?? [];
    expect([response.status, shown]).toEqual([status, expect.stringMatching(text)]);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(html).not.toMatch(/<script|secret-group|code-/);
    // It begins no session. A sign-in that it is not of can still be completed.
    expect(cookies.map((cookie) => cookie.split(';')[0])).toEqual(text === NOT_HERE ? [] : [`${COOKIE}=`]);
  },
);

describe('a provider', () => {
  const UNREADABLE: readonly (readonly [string, (issuer: Issuer) => void])[] = [
    ['is away', ({ responses }) => responses.set(DISCOVERY, (_, response) => void response.destroy())],
    [
      'has no token endpoint',
      ({ responses, url }) =>
        responses.set(DISCOVERY, (_, response) =>
          sendDocument(response, { ...documentOf(url), token_endpoint: undefined }),
        ),
    ],
  ];
  test.for(UNREADABLE)('that %s is a page with 503, and does not end the service', async ([, replace]) => {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    replace(issuer);
    const service = await openFor(issuer);
    onTestFinished(() => service.close());
    const { status, html, headers, cookies } = await get(service, 'start');
    expect([status, headers.get('retry-after')]).toEqual([503, '30']);
    expect(html).toContain('The keys of the issuer cannot be read.');
    expect(cookies).toEqual([]);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  test('with a token endpoint at a forbidden address gets no code', async () => {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    issuer.responses.set(DISCOVERY, (_, response) =>
      sendDocument(response, { ...documentOf(issuer.url), token_endpoint: 'http://127.0.0.2/token' }),
    );
    const service = await openFor(issuer);
    onTestFinished(() => service.close());
    const { location, cookie } = await begin(service);
    const state = new URL(location).searchParams.get('state') ?? '';
    const { status, html } = await finish(service, cookie, `code=code&state=${state}`);
    expect([status, html]).toEqual([503, expect.stringContaining('cannot be reached')]);
  });

  test('that goes away leaves the sessions it began', async () => {
    const issuer = await startIssuer();
    const service = await openFor(issuer);
    onTestFinished(() => service.close());
    const cookie = await signIn(service, providerAt(issuer));
    await issuer.close();
    expect((await pageOf(service, cookie)('GET', '/api/session')).status).toBe(200);
    expect((await get(service, 'start')).status).toBe(303);
  });

  test('that takes the secret in the body only gets it there', async () => {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    const token_endpoint_auth_methods_supported = ['client_secret_post'];
    issuer.responses.set(DISCOVERY, (_, response) =>
      sendDocument(response, { ...documentOf(issuer.url), token_endpoint_auth_methods_supported }),
    );
    const service = await openFor(issuer);
    onTestFinished(() => service.close());
    const provider = providerAt(issuer);
    await signIn(service, provider);
    expect(provider.requests[0]?.form.get('client_secret')).toBe(CLIENT.clientSecret);
  });
});

describe('the sessions of a user', () => {
  const END = '/api/sessions/end';

  test('end at the next request, and only those', async ({ service, provider, byAdmin }) => {
    const sub = crypto.randomUUID();
    const ofUser = pageOf(service, await signIn(service, provider, { ...USER, sub }));
    const ofOther = pageOf(service, await signIn(service, provider, { ...USER, sub: crypto.randomUUID() }));
    const dry = await byAdmin('POST', `${END}?dry_run=true`, { body: { subject: sub } });
    expect([dry.status, dry.body]).toEqual([200, { ended: 1 }]);
    expect((await ofUser('GET', '/api/session')).status).toBe(200);
    const ended = await byAdmin<WireEndedSessions>('POST', END, { body: { subject: sub } });
    expect([ended.status, ended.body]).toEqual([200, { ended: 1 }]);
    const statuses = [ofUser, ofOther].map(async (call) => (await call('GET', '/api/session')).status);
    expect(await Promise.all(statuses)).toEqual([401, 200]);
    const again = pageOf(service, await signIn(service, provider, { ...USER, sub }));
    expect((await again('GET', '/api/session')).status).toBe(200);
    expect((await ofUser('GET', '/api/session')).status).toBe(401);
  });

  test('end for all users with *, and keys stay', async ({ service, provider, byAdmin }) => {
    const call = pageOf(service, await signIn(service, provider));
    await byAdmin('POST', END, { body: { subject: '*' } });
    expect((await call('GET', '/api/session')).status).toBe(401);
    expect((await byAdmin('GET', '/api/key')).status).toBe(200);
  });

  test('end with their streams', async ({ service, provider, project, byAdmin }) => {
    const sub = crypto.randomUUID();
    const cookie = await signIn(service, provider, { ...USER, sub });
    const url = `${service.url}/api/projects/${project.id}/plugin_configs/stream`;
    const headers = { ...ownPage(new URL(PUBLIC_URL).origin), cookie };
    await using stream = await follow(url, { token: null, headers });
    expect(await stream.next()).toMatchObject({ event: null });
    await byAdmin('POST', END, { body: { subject: sub } });
    expect(await stream.named(1)).toMatchObject([{ event: 'end', data: { reason: 'key_revoked' } }]);
  });

  test('need key:write to be ended', async ({ service, provider }) => {
    const call = pageOf(service, await signIn(service, provider));
    expect((await call('POST', END, { body: { subject: '*' } })).status).toBe(403);
    const admin = pageOf(
      service,
      await signIn(service, provider, { ...USER, sub: 'admin', groups: 'admins' }),
    );
    expect((await admin('POST', END, { body: { subject: 'nobody' } })).body).toEqual({ ended: 0 });
  });

  test('end with the rights at the sign-in: another role ends the earlier ones', async ({
    service,
    provider,
  }) => {
    const sub = crypto.randomUUID();
    const before = pageOf(service, await signIn(service, provider, { ...USER, sub }));
    const after = pageOf(service, await signIn(service, provider, { ...USER, sub, groups: ['admins'] }));
    expect((await after<Wire<'ownKey'>>('GET', '/api/session')).body.scopes).toEqual(['*']);
    expect((await before('GET', '/api/session')).status).toBe(401);
  });

  test.for([
    ['no role any more', ['fired']],
    ['a role for a project that does not exist', ['acme']],
  ] as const)('end with a sign-in that has %s', async ([, groups], { service, provider }) => {
    const sub = crypto.randomUUID();
    const before = pageOf(service, await signIn(service, provider, { ...USER, sub }));
    const { location, cookie } = await begin(service);
    expect((await finish(service, cookie, provider.signIn(location, { ...USER, sub, groups }))).status).toBe(
      403,
    );
    expect((await before('GET', '/api/session')).status).toBe(401);
  });

  test('are of no key: users are in no list, and cost one access query', async ({
    service,
    provider,
    byAdmin,
    project,
  }) => {
    const call = pageOf(service, await signIn(service, provider));
    const { id } = (await call<Wire<'ownKey'>>('GET', '/api/session')).body;
    const idsOf = async (path: string) =>
      (await byAdmin<{ results: { id: number }[] }>('GET', `${path}?limit=1000`)).body.results.map(
        (one) => one.id,
      );
    expect([...(await idsOf('/api/keys')), ...(await idsOf('/api/trusts'))]).not.toContain(id);
    expect((await byAdmin('DELETE', `/api/keys/${id}`)).status).toBe(404);
    const path = `/api/projects/${project.id}/plugin_configs`;
    await call('GET', path);
    service.statements.length = 0;
    await call('GET', path);
    expect(service.statements).toHaveLength(1);
  });
});

describe('with SIGN_IN=oidc', () => {
  test('keys do not sign in, but programs still use them', async ({ issuer }) => {
    const service = await openFor(issuer, { keysSignIn: false });
    onTestFinished(() => service.close());
    const { token } = await service.issueKey();
    const call = caller({ base: service.url, token: null });
    const headers = ownPage(new URL(PUBLIC_URL).origin);
    const {
      status,
      body,
      headers: sent,
    } = await call('POST', '/api/session', { headers, body: { key: token } });
    expect([status, body, sent.getSetCookie()]).toEqual([
      403,
      expect.objectContaining({
        detail: 'Signing in with a key is turned off (SIGN_IN). Sign in with the identity provider.',
      }),
      [],
    ]);
    expect((await caller({ base: service.url, token })('GET', '/api/key')).status).toBe(200);
  });
});

test('without an identity provider there is no such sign-in', async () => {
  const service = await openService();
  onTestFinished(() => service.close());
  expect((await get(service, 'start')).status).toBe(404);
  expect((await get(service, 'callback?code=a&state=b')).status).toBe(404);
});

test('failed sign-ins are limited by address, except for those that did not begin there', async ({
  service,
  provider,
}) => {
  const { location, cookie } = await begin(service);
  const parameters = provider.signIn(location);
  const failing = new URLSearchParams(parameters);
  failing.set('code', 'wrong');
  const from = (sent: string, own = cookie) =>
    get(service, `callback?${sent}`, { 'x-forwarded-for': '192.0.2.9', cookie: own });
  for (let i = 0; i < 20; i++) expect((await from('n=1', '')).status).toBe(400);
  for (let i = 0; i < 10; i++) expect((await from(String(failing))).status).toBe(400);
  // The cookie stays, so it can be repeated.
  expect(await from(parameters)).toMatchObject({ status: 429, cookies: [] });
});

test('a page whose address is too long for a cookie is left out', async ({ service, provider }) => {
  const { location, cookie } = await begin(service, `/base/console/projects?q=${'\u65e5'.repeat(310)}`);
  const { status, headers } = await finish(service, cookie, provider.signIn(location));
  expect([status, new URL(headers.get('location') ?? '').pathname]).toEqual([303, '/base/console']);
});
