import { createHash } from 'node:crypto';
import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { expect } from 'vitest';
import { firstStart, requireMasterKeys } from './set-up.ts';
import { query, test } from './operator.fixture.ts';

test('creates project 1 and a key with all scopes in an empty database', async ({ databaseUrl }) => {
  const made = await firstStart(databaseUrl, TEST_SECRETS_KEYS);
  expect(made).toMatch(/^phx_[0-9A-Za-z]{43}$/);
  expect(await query(databaseUrl, 'select id::int, name from project')).toEqual([
    { id: 1, name: 'Default project' },
  ]);
  expect(await query(databaseUrl, 'select label, scopes, hash, expires_at from api_key')).toEqual([
    {
      label: 'first key',
      scopes: ['*'],
      hash: createHash('sha256')
        .update(made ?? '')
        .digest('hex'),
      expires_at: null,
    },
  ]);
});

test('does nothing after a first start', async ({ databaseUrl }) => {
  await firstStart(databaseUrl, TEST_SECRETS_KEYS);
  expect(await firstStart(databaseUrl, TEST_SECRETS_KEYS)).toBeNull();
  expect(await query(databaseUrl, 'select id from project')).toHaveLength(1);
  expect(await query(databaseUrl, 'select id from api_key')).toHaveLength(1);
});

test('completes a first start that was interrupted before it created the key', async ({
  databaseUrl,
  cli,
}) => {
  await cli(['project', 'create', '--name', 'Default project']);
  expect(await firstStart(databaseUrl, TEST_SECRETS_KEYS)).toEqual(expect.any(String));
  expect(await query(databaseUrl, 'select id from project')).toHaveLength(1);
});

test('does not replace a revoked key', async ({ databaseUrl, cli }) => {
  await firstStart(databaseUrl, TEST_SECRETS_KEYS);
  await cli(['key', 'revoke', '1']);
  expect(await firstStart(databaseUrl, TEST_SECRETS_KEYS)).toBeNull();
});

test('requires the master keys that the database needs', async ({ databaseUrl }) => {
  await firstStart(databaseUrl, TEST_SECRETS_KEYS);
  await requireMasterKeys(databaseUrl, TEST_SECRETS_KEYS);
  const other = `other:${Buffer.alloc(32, 8).toString('base64')}`;
  await expect(requireMasterKeys(databaseUrl, other)).rejects.toThrow(/^SECRETS_KEYS lacks "/);
});
