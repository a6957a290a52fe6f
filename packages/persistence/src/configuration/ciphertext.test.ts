import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bytesOf,
  decryptText,
  encryptText,
  hexOf,
  identityOf,
  OVERHEAD_BYTES,
  type Place,
} from './ciphertext.ts';

const KEY = { id: 7, key: randomBytes(32) };
const PLACE: Place = { projectId: 1, column: 'config_record.config', row: 21 };
const TEXT = '{"token":"hunter2 🤫"}';

test('a text is decrypted in the same place, and its ciphertext only reveals its length', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const ciphertext = encryptText(KEY, PLACE, text);
      expect(decryptText(KEY, PLACE, ciphertext)).toBe(text.toWellFormed());
      expect(bytesOf(ciphertext)).toHaveLength(Buffer.byteLength(text) + OVERHEAD_BYTES);
      expect(encryptText(KEY, PLACE, text)).not.toBe(ciphertext);
    }),
  ));

test.for([
  ['another project', { ...PLACE, projectId: 3 }],
  ['another column', { ...PLACE, column: 'config_revision.config' }],
  ['another record', { ...PLACE, row: 22 }],
  // The numbers of a place are separated.
  ['a project and a record with the same digits in a row', { ...PLACE, projectId: 12, row: 1 }],
] as const)('a ciphertext moved to %s does not decrypt', ([, place]) => {
  expect(() => decryptText(KEY, place, encryptText(KEY, PLACE, TEXT))).toThrow();
});

test('a different key with the same id, or the same key with a different id, does not decrypt it', () => {
  const ciphertext = encryptText(KEY, PLACE, TEXT);
  expect(() => decryptText({ ...KEY, key: randomBytes(32) }, PLACE, ciphertext)).toThrow();
  expect(() => decryptText({ ...KEY, id: 8 }, PLACE, ciphertext)).toThrow('data key 8');
});

test('a ciphertext with any byte changed does not decrypt', () => {
  const bytes = bytesOf(encryptText(KEY, PLACE, TEXT));
  for (const [i, byte] of bytes.entries()) {
    const changed = Buffer.from(bytes);
    changed[i] = byte ^ 1;
    expect(() => decryptText(KEY, PLACE, hexOf(changed))).toThrow();
  }
});

test('two ciphertexts have different identities, even for the same text', () => {
  const [one, other] = [encryptText(KEY, PLACE, TEXT), encryptText(KEY, PLACE, TEXT)];
  expect(one.startsWith(identityOf(one))).toBe(true);
  expect(identityOf(one)).not.toBe(identityOf(other));
});
