import { createHmac } from 'node:crypto';
import type { WireErrorBody, WireExchangedToken, WireExchangeRejection } from '@plugin-config/contract';
import { ISSUED_FOR, sendDocument, startIssuer, type Issuer } from '@plugin-config/server/testing';
import { describe, expect, onTestFinished } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';

import { openService, test as base, type IssuedKey, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const SUB = 'repo:acme/shop:environment:production';

interface Fixtures {
  readonly issuer: Issuer;
  readonly admin: IssuedKey;
  readonly byAdmin: Call;
  /** A trust in the issuer, for the project. */
  readonly trust: Wire<'trust'>;
}

const test = base.extend<Fixtures & { readonly service: Service }>({
  service: [
    async ({}, use) => {
      // Failed exchanges are limited by address.
      const service = await openService({ trustProxy: true });
      await use(service);
      await service.close();
    },
    { scope: 'file' },
  ],
  issuer: [
    async ({}, use) => {
      const issuer = await startIssuer();
      for (const alg of ['ES256', 'EdDSA', 'RS512', 'ES384', 'PS256'] as const) await issuer.addKey(alg);
      await use(issuer);
      await issuer.close();
    },
    { scope: 'file' },
  ],
  admin: async ({ service }, use) => use(await service.issueKey()),
  byAdmin: async ({ service, admin }, use) => use(caller({ base: service.url, token: admin.token })),
  trust: async ({ byAdmin, issuer, project }, use) => {
    const { status, text, body } = await byAdmin<Wire<'trust'>>('POST', '/api/trusts', {
      body: trustIn(issuer, { project_ids: [project.id] }),
    });
    expect([status, text]).toEqual([201, text]);
    await use(body);
  },
});

function trustIn({ url }: Issuer, change: object = {}) {
  return {
    name: 'Deploy from main',
    issuer: url,
    audience: ISSUED_FOR,
    claims: { repository_id: ['123456789', '7'], environment: ['production'] },
    scopes: ['plugin:write'],
    ...change,
  };
}

let addresses = 0;

type Exchanged = WireExchangedToken & WireExchangeRejection;

function post({ url }: Service, body: string, headers: Readonly<Record<string, string>> = {}) {
  const address = `10.0.${++addresses >> 8}.${addresses % 256}`;
  return caller({ base: url, token: null })<Exchanged>('POST', '/api/auth/token', {
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address, ...headers },
  });
}

function formOf(
  trust: number | string,
  idToken: string,
  change: Readonly<Record<string, string>> = {},
): string {
  const form = { grant_type: GRANT_TYPE, subject_token: idToken, subject_token_type: ID_TOKEN };
  return String(new URLSearchParams({ ...form, trust: String(trust), ...change }));
}

const exchange = (service: Service, trust: number | string, idToken: string) =>
  post(service, formOf(trust, idToken));

describe('an exchange', () => {
  test('returns a token that grants what the trust grants', async ({ service, issuer, trust, project }) => {
    const { status, body, headers } = await exchange(service, trust.id, await issuer.sign());
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^pct_/),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: expect.toSatisfy((seconds: number) => seconds > 800 && seconds <= 900),
    });
    const call = caller({ base: service.url, token: body.access_token });
    const own = await call<Wire<'ownKey'>>('GET', '/api/key');
    expect(own.body).toMatchObject({
      scopes: ['plugin:write'],
      project_ids: [project.id],
      subject: { id: SUB },
    });
    const path = `/api/projects/${project.id}/plugin_configs`;
    const { body: record } = await call('POST', path, { body: { plugin: 7 } });
    expect((await call('POST', `${path}/${record.id}/job`, { body: { enabled: true } })).status).toBe(200);
    const activity = await call<Wire<'activityView'>>('GET', `${path}/${record.id}/activity`);
    const actor = { key_id: null, label: 'Deploy from main', subject: { id: SUB } };
    expect(activity.body.results.map((entry) => entry.actor)).toEqual([actor, actor]);
    expect((await call('GET', '/api/trusts')).status).toBe(403);
    expect((await call('POST', '/api/tokens', { body: { scopes: ['plugin:read'] } })).status).toBe(403);
  });

  for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
    test(`accepts ${alg}`, async ({ service, issuer, trust }) => {
      expect((await exchange(service, trust.id, await issuer.sign({}, { alg }))).status).toBe(200);
    });
  }

  test('accepts each value of a claim, one audience of several, and 30 seconds of clock skew', async ({
    service,
    issuer,
    trust,
  }) => {
    const now = Math.floor(Date.now() / 1000);
    const accepted = [
      { repository_id: '7' },
      { repository_id: 7 },
      { aud: ['https://other.example', ISSUED_FOR] },
      { exp: now - 20 },
      { exp: now + 325, iat: now + 20, nbf: now + 20 },
      { iat: undefined, nbf: undefined },
    ];
    for (const claims of accepted) {
      const { status, text } = await exchange(service, trust.id, await issuer.sign(claims));
      expect([claims, status, text]).toEqual([claims, 200, text]);
    }
  });

  test('is in the audit log, which says who got a token and by which trust', async ({
    service,
    issuer,
    trust,
  }) => {
    await exchange(service, trust.id, await issuer.sign());
    const { items } = await service.ports.audit.page({ limit: 2, offset: 0 });
    expect(items).toMatchObject([
      {
        action: 'token_exchanged',
        actor: { keyId: null, label: trust.name, subject: { id: SUB } },
        subject: { type: 'trust', id: trust.id, name: trust.name },
      },
      { action: 'trust_created', subject: { type: 'trust', id: trust.id } },
    ]);
  });

  test('leaves no token in the log and in no table', async ({ service, issuer, trust, database }) => {
    const idToken = await issuer.sign();
    const { body } = await exchange(service, trust.id, idToken);
    await exchange(service, trust.id, idToken);
    const signatures = [idToken, body.access_token].map((token) => token.split('.').at(-1) ?? '');
    expect(service.log.filter((line) => signatures.some((one) => line.includes(one)))).toEqual([]);
    for (const table of ['api_key', 'audit', 'exchanged_token']) {
      const { rows } = await database.pool.query<{ text: string }>(`select t::text as text from ${table} t`);
      expect(rows.filter(({ text }) => signatures.some((one) => text.includes(one)))).toEqual([]);
    }
  });
});

interface Attempt {
  readonly service: Service;
  readonly issuer: Issuer;
  readonly trust: Wire<'trust'>;
}

type Rejection = readonly [string, (attempt: Attempt) => Promise<string>, string, string | RegExp];

const grant = (text: string): string => `The token is not accepted. ${text}`;
const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;
/** Sends a valid token with these claims. */
const claims =
  (change: () => Readonly<Record<string, unknown>>) =>
  async ({ issuer, trust }: Attempt): Promise<string> =>
    formOf(trust.id, await issuer.sign(change()));
/** Sends a form with a valid token, changed. */
const form =
  (change: Readonly<Record<string, string>>) =>
  async ({ issuer, trust }: Attempt): Promise<string> =>
    formOf(trust.id, await issuer.sign(), change);
const without =
  (name: string) =>
  async ({ issuer, trust }: Attempt): Promise<string> => {
    const sent = new URLSearchParams(formOf(trust.id, await issuer.sign()));
    sent.delete(name);
    return String(sent);
  };
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Sends a valid token with its parts changed. */
const parts =
  (change: (header: object, claims: object, signature: string, issuer: Issuer) => string) =>
  async ({ issuer, trust }: Attempt): Promise<string> => {
    const [header = '', body = '', signature = ''] = (await issuer.sign()).split('.');
    const [parsedHeader, parsedBody] = [header, body].map(
      (text) => JSON.parse(Buffer.from(text, 'base64url').toString()) as object,
    ) as [object, object];
    return formOf(trust.id, change(parsedHeader, parsedBody, signature, issuer));
  };

const ALGORITHM = grant('Its algorithm is not one of RS256, ES256, EdDSA.');

const REJECTED: readonly Rejection[] = [
  ['no grant type', without('grant_type'), 'invalid_request', 'grant_type is required.'],
  ['another grant type', form({ grant_type: 'password' }), 'unsupported_grant_type', /^grant_type must be/],
  ['no token', without('subject_token'), 'invalid_request', 'subject_token is required.'],
  ['an empty token', form({ subject_token: '' }), 'invalid_request', 'subject_token is not valid.'],
  ['no type', without('subject_token_type'), 'invalid_request', 'subject_token_type is required.'],
  [
    'another type',
    form({ subject_token_type: 'saml' }),
    'invalid_request',
    'subject_token_type is not valid.',
  ],
  ['no trust', without('trust'), 'invalid_request', 'trust is required.'],
  ['a malformed trust', form({ trust: '1e3' }), 'invalid_request', 'trust is not valid.'],
  ['an unknown trust', form({ trust: '999999' }), 'invalid_grant', 'There is no such trust.'],
  [
    'a repeated parameter',
    async (at) => `${await form({})(at)}&trust=1`,
    'invalid_request',
    'trust occurs more than once.',
  ],
  [
    'a token that is too long',
    form({ subject_token: 'x'.repeat(17_000) }),
    'invalid_request',
    'subject_token is not valid.',
  ],
  [
    'text instead of a JWT',
    form({ subject_token: 'token' }),
    'invalid_grant',
    grant('It is not a signed JWT.'),
  ],
  [
    'the token of the service instead of a JWT',
    form({ subject_token: `pct_${'a'.repeat(100)}.${'b'.repeat(43)}` }),
    'invalid_grant',
    grant('It is not a signed JWT.'),
  ],
  [
    'no signature',
    parts((header, body) => `${part({ ...header, alg: 'none' })}.${part(body)}.`),
    'invalid_grant',
    /^The token is not accepted/,
  ],
  [
    'the public key as the secret of an HMAC',
    parts((header, body, _, issuer) => {
      const signed = `${part({ ...header, alg: 'HS256' })}.${part(body)}`;
      const secret = JSON.stringify(issuer.publicKey('RS256'));
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    }),
    'invalid_grant',
    ALGORITHM,
  ],
  ...(['RS512', 'ES384', 'PS256'] as const).map((alg): Rejection => [
    `the algorithm ${alg}`,
    async ({ issuer, trust }) => formOf(trust.id, await issuer.sign({}, { alg })),
    'invalid_grant',
    ALGORITHM,
  ]),
  [
    'an extension that is critical',
    async ({ issuer, trust }) =>
      formOf(
        trust.id,
        (await issuer.sign()).replace(
          /^[^.]+/,
          part({ alg: 'RS256', kid: 'RS256', crit: ['b64'], b64: false }),
        ),
      ),
    'invalid_grant',
    /^The token is not accepted/,
  ],
  [
    'other claims than were signed',
    parts(
      (header, body, signature) =>
        `${part(header)}.${part({ ...body, environment: 'staging' })}.${signature}`,
    ),
    'invalid_grant',
    grant('Its signature is wrong.'),
  ],
  [
    'a key of another kind',
    parts((header, body, signature) => `${part({ ...header, kid: 'ES256' })}.${part(body)}.${signature}`),
    'invalid_grant',
    grant('Its issuer has no such key.'),
  ],
  [
    'an unknown key',
    parts((header, body, signature) => `${part({ ...header, kid: 'other' })}.${part(body)}.${signature}`),
    'invalid_grant',
    grant('Its issuer has no such key.'),
  ],
  [
    'the key of another issuer',
    async ({ trust, issuer }) => {
      const other = await startIssuer();
      const idToken = await other.sign({ iss: issuer.url });
      await other.close();
      return formOf(trust.id, idToken);
    },
    'invalid_grant',
    grant('Its signature is wrong.'),
  ],
  [
    'no issuer',
    claims(() => ({ iss: undefined })),
    'invalid_grant',
    grant('Its issuer (iss) is not that of the trust.'),
  ],
  [
    'the issuer with a slash',
    async ({ issuer, trust }) => formOf(trust.id, await issuer.sign({ iss: `${issuer.url}/` })),
    'invalid_grant',
    grant('Its issuer (iss) is not that of the trust.'),
  ],
  ['no audience', claims(() => ({ aud: undefined })), 'invalid_grant', grant('It has no audience (aud).')],
  [
    'another audience',
    claims(() => ({ aud: `${ISSUED_FOR}/` })),
    'invalid_grant',
    grant('Its audience (aud) is not that of the trust.'),
  ],
  [
    'other audiences',
    claims(() => ({ aud: ['a', 'b'] })),
    'invalid_grant',
    grant('Its audience (aud) is not that of the trust.'),
  ],
  ['no end', claims(() => ({ exp: undefined })), 'invalid_grant', grant('It has no expiry (exp).')],
  [
    'an end that has passed',
    claims(() => ({ exp: seconds(-31) })),
    'invalid_grant',
    grant('It has expired (exp).'),
  ],
  ['no id', claims(() => ({ jti: undefined })), 'invalid_grant', grant('It has no id (jti).')],
  ['an empty id', claims(() => ({ jti: '' })), 'invalid_grant', grant('It has no id (jti).')],
  ['no subject', claims(() => ({ sub: undefined })), 'invalid_grant', grant('It has no subject (sub).')],
  [
    'an endless subject',
    claims(() => ({ sub: 'x'.repeat(501) })),
    'invalid_grant',
    grant('It has no subject (sub).'),
  ],
  [
    'no claim',
    claims(() => ({ environment: undefined })),
    'invalid_grant',
    grant('It has no claim environment.'),
  ],
  [
    'another value of a claim',
    claims(() => ({ repository_id: '1234567890' })),
    'invalid_grant',
    grant('The trust does not accept the value of its claim repository_id.'),
  ],
  [
    'a claim in other letters',
    claims(() => ({ environment: 'Production' })),
    'invalid_grant',
    grant('The trust does not accept the value of its claim environment.'),
  ],
  [
    'a list as a claim',
    claims(() => ({ environment: ['production'] })),
    'invalid_grant',
    grant('The trust does not accept the value of its claim environment.'),
  ],
];

test.for(REJECTED)('%s is rejected', async ([, request, error, description], { service, issuer, trust }) => {
  const { status, body, headers } = await post(service, await request({ service, issuer, trust }));
  expect([status, body, headers.get('cache-control')]).toEqual([
    400,
    {
      error,
      error_description: typeof description === 'string' ? description : expect.stringMatching(description),
    },
    'no-store',
  ]);
});

test('a body in JSON is rejected, and other methods', async ({ service, trust, issuer }) => {
  const json = JSON.stringify({
    grant_type: GRANT_TYPE,
    trust: trust.id,
    subject_token: await issuer.sign(),
  });
  const { status, body } = await post(service, json, { 'content-type': 'application/json' });
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  expect((await caller({ base: service.url, token: null })('GET', '/api/auth/token')).status).toBe(405);
});

test('failed exchanges are limited by address, and successful ones are not', async ({
  service,
  trust,
  issuer,
}) => {
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  for (let i = 0; i < 12; i++)
    expect((await post(service, formOf(trust.id, await issuer.sign()), headers)).status).toBe(200);
  const failures = [];
  for (let i = 0; i < 11; i++) failures.push(await post(service, formOf(trust.id, 'token'), headers));
  expect(failures.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  expect(failures.at(-1)?.body.error).toBe('slow_down');
  expect(failures.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/);
});

describe('a trust', () => {
  test('that is changed or deleted ends its tokens', async ({ service, byAdmin, issuer, trust }) => {
    const path = `/api/trusts/${trust.id}`;
    const tokenOf = async (): Promise<Call> => {
      const { body } = await exchange(service, trust.id, await issuer.sign());
      return caller({ base: service.url, token: body.access_token });
    };
    const first = await tokenOf();
    expect((await first('GET', '/api/key')).status).toBe(200);
    const changed = await byAdmin<Wire<'trust'>>('PATCH', path, {
      body: { scopes: ['plugin:read'], max_minutes: 5 },
    });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...trust, scopes: ['plugin:read'], max_minutes: 5, last_used_at: changed.body.last_used_at },
    ]);
    expect((await first('GET', '/api/key')).status).toBe(401);
    const second = await tokenOf();
    expect((await second<Wire<'ownKey'>>('GET', '/api/key')).body.scopes).toEqual(['plugin:read']);
    expect((await byAdmin('DELETE', path)).status).toBe(204);
    expect((await second('GET', '/api/key')).status).toBe(401);
    const after = await exchange(service, trust.id, await issuer.sign());
    expect([after.status, after.body.error_description]).toEqual([400, 'There is no such trust.']);
    expect([(await byAdmin('DELETE', path)).status, (await byAdmin('PATCH', path)).status]).toEqual([
      404, 404,
    ]);
  });

  test('ends with its project', async ({ service, issuer, trust, project, byAdmin }) => {
    const { body } = await exchange(service, trust.id, await issuer.sign());
    const call = caller({ base: service.url, token: body.access_token });
    expect((await call('GET', `/api/projects/${project.id}`)).status).toBe(200);
    await byAdmin('DELETE', `/api/projects/${project.id}`, { body: { name: 'Test project' } });
    expect((await call('GET', `/api/projects/${project.id}`)).status).toBe(401);
    expect((await exchange(service, trust.id, await issuer.sign())).status).toBe(400);
  });

  test('grants no more than its creator, ends with it, and is seen only by keys that could create it', async ({
    service,
    issuer,
    project,
    trust,
  }) => {
    const bound = await service.issueKey({
      scopes: ['key:write', 'plugin:read'],
      projectIds: [project.id],
      lifetimeMs: 60_000,
    });
    const call = caller({ base: service.url, token: bound.token });
    const create = (change: object) =>
      call<Wire<'trust'> & WireErrorBody>('POST', '/api/trusts', { body: trustIn(issuer, change) });
    const beyond = [{}, { scopes: ['*'] }, { scopes: ['plugin:read'], project_ids: null }];
    for (const change of beyond) expect((await create(change)).status).toBe(403);
    const own = await create({ scopes: ['plugin:read'] });
    expect([own.status, own.body.project_ids, own.body.expires_at]).toEqual([
      201,
      [project.id],
      bound.key.expiresAt?.toISOString(),
    ]);
    const listed = await call<{ results: Wire<'trust'>[] }>('GET', '/api/trusts');
    expect(listed.body.results).toEqual([own.body]);
    expect((await call('DELETE', `/api/trusts/${trust.id}`)).status).toBe(404);
    expect(
      (await call('PATCH', `/api/trusts/${own.body.id}`, { body: { scopes: ['plugin:write'] } })).status,
    ).toBe(403);
    const { body } = await exchange(service, own.body.id, await issuer.sign());
    expect(body.expires_in).toBeLessThanOrEqual(60);
  });

  test('can name a subject of any other issuer than GitHub', async ({ byAdmin, issuer }) => {
    const body = trustIn(issuer, { claims: { sub: ['project_path:acme/shop:ref_type:branch:ref:main'] } });
    expect((await byAdmin('POST', '/api/trusts', { body })).status).toBe(201);
  });
});

describe('the keys of an issuer', () => {
  const discovery = '/.well-known/openid-configuration';

  async function trustInNew(
    byAdmin: Call,
  ): Promise<{ readonly issuer: Issuer; readonly trust: Wire<'trust'> }> {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    const { body } = await byAdmin<Wire<'trust'>>('POST', '/api/trusts', { body: trustIn(issuer) });
    return { issuer, trust: body };
  }

  test('are read when they are first needed, once for concurrent exchanges, and then kept', async ({
    service,
    byAdmin,
  }) => {
    const { issuer, trust } = await trustInNew(byAdmin);
    expect(issuer.requests).toEqual([]);
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issuer.sign()));
    const responses = await Promise.all(tokens.map((idToken) => exchange(service, trust.id, idToken)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await exchange(service, trust.id, await issuer.sign());
    expect(issuer.requests).toEqual([discovery, '/keys']);
  });

  test('stay good while the issuer is away', async ({ service, byAdmin }) => {
    const { issuer, trust } = await trustInNew(byAdmin);
    expect((await exchange(service, trust.id, await issuer.sign())).status).toBe(200);
    await issuer.close();
    expect((await exchange(service, trust.id, await issuer.sign())).status).toBe(200);
  });

  const UNREADABLE: readonly (readonly [string, (issuer: Issuer) => void])[] = [
    [
      'the issuer is away',
      ({ responses }) => responses.set(discovery, (_, response) => void response.destroy()),
    ],
    [
      'its document redirects',
      ({ responses, url }) =>
        responses.set(
          discovery,
          (_, response) => void response.writeHead(302, { location: `${url}/document` }).end(),
        ),
    ],
    [
      'its keys redirect',
      ({ responses, url }) =>
        responses.set(
          '/keys',
          (_, response) => void response.writeHead(307, { location: `${url}/other` }).end(),
        ),
    ],
    [
      'its document is of another issuer',
      ({ responses, url }) =>
        responses.set(discovery, (_, response) =>
          sendDocument(response, { issuer: `${url}/`, jwks_uri: `${url}/keys` }),
        ),
    ],
    [
      'its keys are at a forbidden address',
      ({ responses, url }) =>
        responses.set(discovery, (_, response) =>
          sendDocument(response, { issuer: url, jwks_uri: 'http://127.0.0.2/keys' }),
        ),
    ],
    [
      'its keys are at the name of a forbidden address',
      ({ responses, url }) =>
        responses.set(discovery, (_, response) =>
          sendDocument(response, { issuer: url, jwks_uri: 'http://localhost/keys' }),
        ),
    ],
    [
      'its keys are no JSON',
      ({ responses }) => responses.set('/keys', (_, response) => void response.end('keys')),
    ],
    [
      'its keys are endless',
      ({ responses }) => responses.set('/keys', (_, response) => void response.end(' '.repeat(300_000))),
    ],
  ];
  test.for(UNREADABLE)('cannot be read if %s', async ([, replace], { service, byAdmin }) => {
    const { issuer, trust } = await trustInNew(byAdmin);
    replace(issuer);
    const { status, body, headers } = await exchange(service, trust.id, await issuer.sign());
    expect([status, body]).toEqual([
      503,
      {
        error: 'temporarily_unavailable',
        error_description: 'The keys of the issuer cannot be read. The log of the service says why.',
      },
    ]);
    expect(headers.get('retry-after')).toBe('30');
    // The issuer is not asked again for a while.
    const before = issuer.requests.length;
    await exchange(service, trust.id, await issuer.sign());
    expect(issuer.requests.length).toBe(before);
  });
});
