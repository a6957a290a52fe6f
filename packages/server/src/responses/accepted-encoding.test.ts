import { expect, test } from 'vitest';
import { acceptedEncoding } from './accepted-encoding.ts';

test.for([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['deflate, zstd', null],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br ; q=0.5 , GZIP;Q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.000', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['identity, br;q=0.9', null],
  ['identity;q=0.5, br', 'br'],
  ['br;q=2, gzip;q=x', null],
  ['br gzip', null],
] as const)('%j prefers %j, uncached and cached', ([header, encoding]) => {
  expect([acceptedEncoding(header), acceptedEncoding(header)]).toEqual([encoding, encoding]);
});

test('headers are still parsed when the cache is full', () => {
  for (let i = 0; i < 1000; i++) expect(acceptedEncoding(`gzip, x${i}`)).toBe('gzip');
});
