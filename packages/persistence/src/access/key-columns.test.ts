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
  expiresAt: null,
  revokedAt: null,
};

test.for([
  ['its own hash', HASH, GRANT],
  ['a hash that differs in the last character', `${'a'.repeat(63)}b`, null],
  ['a hash that differs in the first character', `b${'a'.repeat(63)}`, null],
] as const)('a key that was found is compared with %s in constant time', ([, asked, grant]) => {
  const timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  onTestFinished(() => {
    timingSafeEqual.mockRestore();
    syncBuiltinESMExports();
  });
  expect(grantOf({ hash: HASH, grant: GRANT }, asked)).toEqual(grant);
  expect(timingSafeEqual).toHaveBeenLastCalledWith(Buffer.from(asked), Buffer.from(HASH));
});

test('no key is granted for a hash of another length, or if none was found', () => {
  expect(grantOf({ hash: HASH, grant: GRANT }, HASH.slice(1))).toBeNull();
  expect(grantOf(null, HASH)).toBeNull();
});

test('a token is stored as its SHA-256 hash in hexadecimal digits', () => {
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256TokenHasher().hash('abc')).toBe(known);
});
