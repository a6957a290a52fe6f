import { expect, test } from 'vitest';
import { checkReference, isReference } from './reference.ts';

test.each([
  'env://NAME',
  'vault://team/path/to#token',
  'https://keys.example:8443/a?version=2',
  'op://vault/item@2/field',
  'x+y.z-1://a',
  'urn:vault:team/token@2',
  'env:NAME',
  'ENV://NAME',
  'file:///run/secrets/token',
  `env://${'A'.repeat(1018)}`,
])('%j is a reference', (uri) => {
  expect(isReference({ $ref: uri })).toBe(true);
  expect(() => checkReference('token', { $ref: uri })).not.toThrow();
});

test.each([
  [{ $ref: 'env://' }],
  [{ $ref: '://NAME' }],
  [{ $ref: 'https://user:password@host/a' }],
  [{ $ref: 'https://user@host' }],
  [{ $ref: 'https:/user:password@host' }],
  [{ $ref: 'https:///user:password@host' }],
  [{ $ref: 'https:user:password@host' }],
  [{ $ref: 'NAME' }],
  [{ $ref: 'urn:' }],
  [{ $ref: 'env://A B' }],
  [{ $ref: 'env://\u{20ac}' }],
  [{ $ref: 'env://host/\u{20ac}' }],
  [{ $ref: 'env://host/\n' }],
  [{ $ref: `env://${'A'.repeat(1019)}` }],
])('%j is rejected', (value) => {
  expect(isReference(value)).toBe(false);
  expect(() => checkReference('token', value)).toThrow(
    expect.objectContaining({ code: 'invalid_input', attr: 'token' }),
  );
});

test.each([
  ['env://NAME'],
  [null],
  [['$ref']],
  [{ ref: 'env://NAME' }],
  [1],
  [{ $ref: 1 }],
  [{ $ref: null }],
  [{ $ref: 'env://NAME', other: 1 }],
])('%j is a value', (value) => {
  expect(isReference(value)).toBe(false);
  expect(() => checkReference('token', value)).not.toThrow();
});
