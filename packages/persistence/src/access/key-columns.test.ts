import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { grantOf, sha256TokenHasher } from './key-columns.ts';

const HASH = 'a'.repeat(64);
const GRANT = {
  id: 1,
  accountId: 1,
  label: '',
  scopes: [],
  projectIds: [],
  pluginIds: [],
  expiresAt: null,
  revokedAt: null,
};

test.for([
  ['the same hash', HASH, GRANT],
  ['a hash that differs in the last character', `${'a'.repeat(63)}b`, null],
  ['a hash that differs in the first character', `b${'a'.repeat(63)}`, null],
] as const)('a stored key is compared with %s in constant time', ([, given, grant]) => {
  const timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  onTestFinished(() => {
    timingSafeEqual.mockRestore();
    syncBuiltinESMExports();
  });
  expect(grantOf({ hash: HASH, grant: GRANT }, given)).toEqual(grant);
  expect(timingSafeEqual).toHaveBeenLastCalledWith(Buffer.from(given), Buffer.from(HASH));
});

test('there is no grant for a hash of a different length or without a stored key', () => {
  expect(grantOf({ hash: HASH, grant: GRANT }, HASH.slice(1))).toBeNull();
  expect(grantOf(null, HASH)).toBeNull();
});

test('a token is stored as its SHA-256 hash in hexadecimal digits', () => {
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256TokenHasher().hash('abc')).toBe(known);
});
