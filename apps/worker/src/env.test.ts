import { TEST_KEYS, TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

const DATABASE_URL = 'postgres://user@host/database';
const REQUIRED = { DATABASE_URL, SECRETS_KEYS: TEST_SECRETS_KEYS };

test('unset and empty variables get their defaults', () => {
  expect(readEnv({ ...REQUIRED, WORKER_PORT: '', NATS_URL: '' })).toEqual({
    CLICKHOUSE_CLUSTER: null,
    CLICKHOUSE_URL: null,
    CORS_ORIGINS: new Set(),
    ACTIVITY_RETENTION_DAYS: null,
    REVISION_RETENTION: 100,
    DATABASE_URL,
    DATABASE_POOL_SIZE: 10,
    DEAD_LETTERS_PER_PROJECT: 10_000,
    DELIVERY_RETENTION_DAYS: 30,
    JOB_RETENTION_DAYS: 30,
    JOB_UNCLAIMED_MINUTES: 60,
    LOG_HOT_DAYS: 1,
    LOG_LEVEL: 'info',
    LOG_QUOTA_BYTES_PER_DAY: null,
    LOG_QUOTA_ENTRIES_PER_DAY: null,
    LOG_RETENTION_DAYS: 7,
    NATS_CA: null,
    NATS_CERT: null,
    NATS_CONSUMER: 'plugin-config-worker',
    NATS_CREDS: null,
    NATS_KEY: null,
    NATS_REPLICAS: 1,
    NATS_STREAM: 'PLUGIN_LOGS',
    NATS_SUBJECT: 'plugin.logs.>',
    NATS_URL: null,
    OTEL_EXPORTER_OTLP_ENDPOINT: null,
    OTEL_EXPORTER_OTLP_HEADERS: '',
    OTEL_SERVICE_NAME: null,
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_TRACES_SAMPLER_ARG: 1,
    RATE_LIMIT_PER_MINUTE: null,
    REQUIRE_REGISTERED_PLUGIN: false,
    SECRETS_KEYS: TEST_KEYS,
    PUBLIC_URL: null,
    WEBHOOK_ALLOW_ADDRESSES: [],
    WEBHOOK_ALLOW_HTTP: false,
    WORKER_HOST: '127.0.0.1',
    WORKER_PORT: 8001,
  });
});

const WRONG: readonly (readonly [name: string, value: string])[] = [
  ['CLICKHOUSE_URL', 'clickhouse://host'],
  ['CLICKHOUSE_CLUSTER', 'a b'],
  ['DATABASE_URL', 'mysql://host/database'],
  ['DATABASE_URL', 'postgres://one,two/database'],
  ['WORKER_PORT', '65536'],
  ['WORKER_HOST', 'a host'],
  ['JOB_RETENTION_DAYS', '0'],
  ['JOB_UNCLAIMED_MINUTES', '0'],
  ['ACTIVITY_RETENTION_DAYS', '0'],
  ['REVISION_RETENTION', '0'],
  ['REVISION_RETENTION', '1001'],
  ['DEAD_LETTERS_PER_PROJECT', '0'],
  ['DEAD_LETTERS_PER_PROJECT', '100001'],
  ['DELIVERY_RETENTION_DAYS', '0'],
  ['DELIVERY_RETENTION_DAYS', '401'],
  ['LOG_RETENTION_DAYS', '0'],
  ['LOG_QUOTA_ENTRIES_PER_DAY', '0'],
  ['WEBHOOK_ALLOW_ADDRESSES', '10.0.0.0/33'],
  ['WEBHOOK_ALLOW_HTTP', 'maybe'],
  ['LOG_QUOTA_BYTES_PER_DAY', '1.5'],
  ['LOG_RETENTION_DAYS', '1.5'],
  ['NATS_URL', 'localhost:4222'],
  ['NATS_URL', 'nats://a,http://b'],
  ['NATS_STREAM', 'a.b'],
  ['NATS_CONSUMER', 'a b'],
  ['NATS_REPLICAS', '0'],
  ['NATS_REPLICAS', '6'],
  ['NATS_CREDS', '/there/is/no/such/file'],
  ['NATS_CA', '/there/is/no/such/file'],
  ['NATS_SUBJECT', 'logs..x'],
  ['NATS_SUBJECT', 'logs.>.x'],
  ['LOG_LEVEL', 'loud'],
];

test.each(WRONG)('%s cannot be %s', (name, value) => {
  expect(() => readEnv({ ...REQUIRED, [name]: value })).toThrow(
    new RegExp(`^(Missing|Invalid) ${name}: expected .+\\.$`),
  );
});

test('NATS_URL can name several servers', () => {
  const NATS_URL = 'nats://user:password@a:4222,nats://b';
  expect(readEnv({ ...REQUIRED, NATS_URL, NATS_SUBJECT: '*.logs.>' })).toMatchObject({ NATS_URL });
});

test('a certificate requires its key, and vice versa', () => {
  const file = import.meta.filename;
  expect(readEnv({ ...REQUIRED, NATS_CERT: file, NATS_KEY: file })).toMatchObject({ NATS_CERT: file });
  expect(() => readEnv({ ...REQUIRED, NATS_CERT: file })).toThrow('NATS_CERT and NATS_KEY belong together');
  expect(() => readEnv({ ...REQUIRED, NATS_KEY: file })).toThrow('NATS_CERT and NATS_KEY belong together');
});
