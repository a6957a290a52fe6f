import { expect, test } from 'vitest';
import { sha256TokenHasher } from './sha256-token-hasher.ts';

test('a token is stored as its SHA-256 hash in hexadecimal digits', () => {
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256TokenHasher().hash('abc')).toBe(known);
});
