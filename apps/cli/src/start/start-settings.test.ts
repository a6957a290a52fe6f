import { resolve } from 'node:path';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { expect, test } from 'vitest';
import { startSettings, urlOf } from './start-settings.ts';

test('by default, everything listens on localhost and uses the embedded database', () => {
  expect(startSettings({})).toEqual({
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    secretsKeys: undefined,
    http: { variable: 'PORT', host: '127.0.0.1', port: 8000 },
    worker: { variable: 'WORKER_PORT', host: '127.0.0.1', port: 8001 },
  });
});

test.for(['mysql://db/shop', 'postgres://one:5432,two:5432/shop'])('DATABASE_URL cannot be %s', (url) => {
  expect(() => startSettings({ DATABASE_URL: url })).toThrow(
    'Invalid DATABASE_URL: expected a single address',
  );
});

test('DATABASE_URL requires SECRETS_KEYS, and the error says how to make a key', () => {
  const read = (SECRETS_KEYS?: string) => () =>
    startSettings({
      DATABASE_URL: 'postgres://db/shop',
      ...(SECRETS_KEYS !== undefined && { SECRETS_KEYS }),
    });
  for (const keys of [undefined, '']) expect(read(keys)).toThrow(/^[^\n]*secrets generate[^\n]*$/);
  expect(read(TEST_SECRETS_KEYS)()).toMatchObject({ secretsKeys: TEST_SECRETS_KEYS });
});

test('an empty setting counts as not set', () => {
  expect(startSettings({ DATA_DIR: '', DATABASE_URL: '', HOST: '', PORT: '' })).toEqual(startSettings({}));
});

test.for([
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['fe80::1', 'http://[fe80::1]:80'],
  ['app.example', 'http://app.example:80'],
])('an app that listens on %s is reached at %s', ([host, url]) => {
  expect(urlOf(startSettings({ HOST: host, PORT: '80' }).http)).toBe(url);
});
