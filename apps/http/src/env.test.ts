import { expect, test } from 'vitest';
import { appSettings, readEnv } from './env.ts';

const DATABASE_URL = 'postgres://me:secret@localhost:5432/db';
const KEY = `${'A'.repeat(43)}=`;
const REQUIRED = { DATABASE_URL, SECRETS_KEYS: `key:${KEY}` };

test('all settings except the database and its keys have a default', () => {
  expect(readEnv({ ...REQUIRED, PORT: '', PATH: '/bin' })).toEqual({
    ADMIN_CHANGES_PER_MINUTE: 300,
    CLICKHOUSE_CLUSTER: null,
    CLICKHOUSE_URL: null,
    CORS_ORIGINS: new Set(),
    CONSOLE_TRANSFORMATIONS: true,
    EMBED_ORIGINS: new Set(),
    HOST: '127.0.0.1',
    PORT: 8000,
    DATABASE_URL,
    DATABASE_POOL_SIZE: 10,
    LOG_LEVEL: 'info',
    LOG_QUOTA_BYTES_PER_DAY: null,
    LOG_QUOTA_ENTRIES_PER_DAY: null,
    LOG_SEARCH_TIMEOUT_MS: 5000,
    OIDC_ALLOW_ADDRESSES: [],
    OIDC_CLIENT_ID: null,
    OIDC_CLIENT_SECRET: null,
    OIDC_ISSUER: null,
    OIDC_ROLES: null,
    OTEL_EXPORTER_OTLP_ENDPOINT: null,
    OTEL_EXPORTER_OTLP_HEADERS: '',
    OTEL_SERVICE_NAME: null,
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_TRACES_SAMPLER_ARG: 1,
    RATE_LIMIT_PER_MINUTE: null,
    PUBLIC_URL: null,
    TRUST_PROXY: false,
    REQUIRE_REGISTERED_PLUGIN: false,
    SECRETS_KEYS: new Map([['key', Buffer.alloc(32)]]),
    SESSION_HOURS: 12,
    SIGN_IN: 'any',
    WEBHOOK_ALLOW_ADDRESSES: [],
    WEBHOOK_ALLOW_HTTP: false,
  });
});

test('variables are read', () => {
  const variables = {
    HOST: '::1',
    PORT: '0',
    DATABASE_URL: 'postgresql:///db',
    CORS_ORIGINS: 'https://app.example.com, http://localhost:5173',
    LOG_LEVEL: 'silent',
    LOG_SEARCH_TIMEOUT_MS: '250',
    RATE_LIMIT_PER_MINUTE: '60',
    PUBLIC_URL: 'https://plugins.example/base/',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    REQUIRE_REGISTERED_PLUGIN: 'true',
    SECRETS_KEYS: `new:${KEY},old:${KEY}`,
    SESSION_HOURS: '1',
  };
  expect(readEnv(variables)).toMatchObject({
    PORT: 0,
    CORS_ORIGINS: new Set(['https://app.example.com', 'http://localhost:5173']),
    RATE_LIMIT_PER_MINUTE: 60,
    PUBLIC_URL: 'https://plugins.example/base',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    REQUIRE_REGISTERED_PLUGIN: true,
    SESSION_HOURS: 1,
    SECRETS_KEYS: new Map([
      ['new', Buffer.alloc(32)],
      ['old', Buffer.alloc(32)],
    ]),
  });
  expect(readEnv({ ...REQUIRED, TRUST_PROXY: '1' }).TRUST_PROXY).toBe(true);
});

test.for([
  ['DATABASE_URL', undefined],
  ['DATABASE_URL', 'mysql://me:secret@x/db'],
  ['DATABASE_URL', 'secret'],
  ['DATABASE_URL', 'postgres://me:secret@one:5432,two:5432/db'],
  ['HOST', 'a b secret'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80secret'],
  ['LOG_LEVEL', 'secret'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'secret.example.com'],
  ['CORS_ORIGINS', 'https://secret.example.com/'],
  ['CORS_ORIGINS', 'https://secret.example.com:443'],
  ['EMBED_ORIGINS', 'https://*.secret.example.com'],
  ['EMBED_ORIGINS', 'https://secret.example.com;script-src'],
  ['LOG_SEARCH_TIMEOUT_MS', '0'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'secret:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
  ['OTEL_TRACES_SAMPLER', 'secret'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
  ['ADMIN_CHANGES_PER_MINUTE', '0'],
  ['RATE_LIMIT_PER_MINUTE', '0'],
  ['RATE_LIMIT_PER_MINUTE', '1.5'],
  ['PUBLIC_URL', 'secret'],
  ['PUBLIC_URL', 'ftp://secret'],
  ['PUBLIC_URL', 'https://x/?secret=1'],
  ['TRUST_PROXY', 'secret'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '2'],
  ['TRUST_PROXY', '::1,'],
  ['REQUIRE_REGISTERED_PLUGIN', 'secret'],
  ['OIDC_ROLES', 'secret'],
  ['OIDC_ROLES', '{"claim": "groups", "roles": []}'],
  ['OIDC_ROLES', '{"claim": "groups", "roles": [{"value": "secret", "scopes": ["plugin:read"]}]}'],
  ['OIDC_ROLES', '{"claim": "groups", "roles": [{"value": "a", "scopes": ["secret"], "project_ids": null}]}'],
  ['SIGN_IN', 'secret'],
  ['SESSION_HOURS', '0'],
  ['SESSION_HOURS', '169'],
  ['SECRETS_KEYS', undefined],
  ['SECRETS_KEYS', ''],
  ['SECRETS_KEYS', 'secret'],
  ['SECRETS_KEYS', `secret:${'A'.repeat(40)}`],
] as const)('%s rejects "%s" with one line that describes the valid values', ([name, value]) => {
  const read = (): unknown => readEnv({ ...REQUIRED, [name]: value });
  expect(read).toThrow(new RegExp(`^(Missing|Invalid) ${name}: expected [^\n]+\\.$`));
  expect(read).not.toThrow(/\bsecret\b/);
});

test('an error in a role says where it is', () => {
  const roles =
    '{"claim": "groups", "roles": [{"value": "a", "scopes": ["plugins:read"], "project_ids": null}]}';
  expect(() => readEnv({ ...REQUIRED, OIDC_ROLES: roles })).toThrow(
    / At roles\.0\.scopes\.0: .*"plugin:read"/,
  );
});

const OIDC = {
  OIDC_ISSUER: 'https://id.example.com/',
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: 'hunter2',
  OIDC_ROLES:
    '{"claim": "groups", "roles": [{"value": "support", "scopes": ["plugin:read"], "project_ids": ["ext:acme", 7]}]}',
  PUBLIC_URL: 'https://plugins.example.com',
};

test('the settings of the single sign-on are read, the issuer exactly', () => {
  const { oidc, keysSignIn } = appSettings(readEnv({ ...REQUIRED, ...OIDC, SIGN_IN: 'oidc' }));
  expect(oidc).toEqual({
    issuer: 'https://id.example.com/',
    clientId: 'console',
    clientSecret: 'hunter2',
    publicUrl: 'https://plugins.example.com',
    rules: {
      claim: 'groups',
      roles: [{ value: 'support', scopes: ['plugin:read'], projectIds: ['ext:acme', 7] }],
    },
  });
  expect(keysSignIn).toBe(false);
  expect(appSettings(readEnv(REQUIRED))).toMatchObject({ oidc: null, keysSignIn: true });
});

test.for([
  ...(Object.keys(OIDC) as (keyof typeof OIDC)[]).map((name) => [name, { ...OIDC, [name]: '' }] as const),
  ['OIDC_ISSUER', { SIGN_IN: 'oidc' }] as const,
])('a single sign-on without %s does not start', ([name, variables]) => {
  const env = readEnv({ ...REQUIRED, ...variables });
  expect(() => appSettings(env)).toThrow(new RegExp(`^Missing ${name}: [^\n]+\\.$`));
});

test.for(['http://id.example.com', 'https://10.0.0.1', 'id.example.com', 'https://id.example.com/?a=b'])(
  'the issuer %s is rejected at the start',
  (OIDC_ISSUER) => {
    const env = readEnv({ ...REQUIRED, ...OIDC, OIDC_ISSUER });
    expect(() => appSettings(env)).toThrow(/^Invalid OIDC_ISSUER: /);
  },
);
