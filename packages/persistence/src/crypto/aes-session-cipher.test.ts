import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encrypt } from './aes-gcm.ts';
import { aesSessionCipher } from './aes-session-cipher.ts';

const OLD = ['2025', randomBytes(32)] as const;
const NEW = ['2026', randomBytes(32)] as const;
const SESSION = {
  keyHash: 'ab'.repeat(32),
  begunAt: new Date('2026-01-02T03:04:05.678Z'),
  usedAt: new Date('2026-01-02T04:04:05.678Z'),
};
const cipher = aesSessionCipher(new Map([NEW]));

test('a session survives encryption, and its ciphertext does not reveal its key', () => {
  const encrypted = cipher.encrypt(SESSION);
  expect(cipher.decrypt(encrypted)).toEqual(SESSION);
  expect(Buffer.from(encrypted, 'base64url').toString('hex')).not.toContain(SESSION.keyHash.slice(0, 8));
  expect(cipher.encrypt(SESSION)).not.toBe(encrypted);
});

test('a session stays valid while its key is in the list', () => {
  const encrypted = aesSessionCipher(new Map([OLD])).encrypt(SESSION);
  expect(cipher.decrypt(encrypted)).toBeNull();
  for (const keys of [new Map([NEW, OLD]), new Map([OLD, NEW])]) {
    expect(aesSessionCipher(keys).decrypt(encrypted)).toEqual(SESSION);
  }
  expect(
    aesSessionCipher(new Map([OLD])).decrypt(aesSessionCipher(new Map([NEW, OLD])).encrypt(SESSION)),
  ).toBeNull();
});

test('a session with any bit changed is rejected', () => {
  const bytes = Buffer.from(cipher.encrypt(SESSION), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const forged = Buffer.from(bytes);
    forged.writeUInt8(forged.readUInt8(at) ^ 1, at);
    expect(cipher.decrypt(forged.toString('base64url'))).toBeNull();
  }
});

test.for(['', 'x', 'é'.repeat(96), 'A'.repeat(96), `${'A'.repeat(95)}=`, 'A'.repeat(1_000_000)])(
  'malformed texts are rejected',
  (text) => {
    expect(cipher.decrypt(text)).toBeNull();
    expect(cipher.decrypt(`${cipher.encrypt(SESSION)}${text}`) === null).toBe(text !== '');
  },
);

test('a wrapped data key is not accepted as a session', () => {
  // Has the same length as a session.
  const [, key] = NEW;
  const wrapped = encrypt(key, 'data key of project 1', randomBytes(44));
  expect([wrapped.length, cipher.decrypt(wrapped.toString('base64url'))]).toEqual([72, null]);
});

test('without a key, no session can be encrypted or decrypted', () => {
  const none = aesSessionCipher(new Map());
  expect(none.decrypt(cipher.encrypt(SESSION))).toBeNull();
  expect(() => none.encrypt(SESSION)).toThrow('SECRETS_KEYS');
});
