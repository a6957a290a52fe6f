import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encrypt } from './aes-gcm.ts';
import { aesSessionSeal } from './aes-session-seal.ts';

const OLD = ['2025', randomBytes(32)] as const;
const NEW = ['2026', randomBytes(32)] as const;
const SESSION = {
  keyHash: 'ab'.repeat(32),
  begunAt: new Date('2026-01-02T03:04:05.678Z'),
  usedAt: new Date('2026-01-02T04:04:05.678Z'),
};
const { seal, open } = aesSessionSeal(new Map([NEW]));

test('a session survives encryption, and its ciphertext does not reveal its key', () => {
  const sealed = seal(SESSION);
  expect(open(sealed)).toEqual(SESSION);
  expect(Buffer.from(sealed, 'base64url').toString('hex')).not.toContain(SESSION.keyHash.slice(0, 8));
  expect(seal(SESSION)).not.toBe(sealed);
});

test('a session stays valid while its key is in the list', () => {
  const sealed = aesSessionSeal(new Map([OLD])).seal(SESSION);
  expect(open(sealed)).toBeNull();
  for (const keys of [new Map([NEW, OLD]), new Map([OLD, NEW])]) {
    expect(aesSessionSeal(keys).open(sealed)).toEqual(SESSION);
  }
  expect(aesSessionSeal(new Map([OLD])).open(aesSessionSeal(new Map([NEW, OLD])).seal(SESSION))).toBeNull();
});

test('a session with any bit changed is rejected', () => {
  const bytes = Buffer.from(seal(SESSION), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const forged = Buffer.from(bytes);
    forged.writeUInt8(forged.readUInt8(at) ^ 1, at);
    expect(open(forged.toString('base64url'))).toBeNull();
  }
});

test.for(['', 'x', 'é'.repeat(96), 'A'.repeat(96), `${'A'.repeat(95)}=`, 'A'.repeat(1_000_000)])(
  'malformed texts are rejected',
  (text) => {
    expect(open(text)).toBeNull();
    expect(open(`${seal(SESSION)}${text}`) === null).toBe(text !== '');
  },
);

test('a wrapped data key is not accepted as a session', () => {
  // Has the same length as a session.
  const [, key] = NEW;
  const wrapped = encrypt(key, 'data key of project 1', randomBytes(44));
  expect([wrapped.length, open(wrapped.toString('base64url'))]).toEqual([72, null]);
});

test('without a key, no session can be encrypted or decrypted', () => {
  const none = aesSessionSeal(new Map());
  expect(none.open(seal(SESSION))).toBeNull();
  expect(() => none.seal(SESSION)).toThrow('SECRETS_KEYS');
});
