import { expect, test } from 'vitest';
import { aesSessionCipher } from './aes-session-cipher.ts';
import { aesSignInCipher } from './aes-sign-in-cipher.ts';

const keysOf = (...names: string[]) => new Map(names.map((name) => [name, Buffer.alloc(32, name)]));
const ATTEMPT = {
  state: 'state',
  nonce: 'nonce',
  verifier: 'verifier',
  page: '/console/projects/1',
  begunAt: new Date('2026-03-01T09:30:00.000Z'),
};

test('a sign-in is decrypted with each key of the list, and with no other', () => {
  const encrypted = aesSignInCipher(keysOf('old')).encrypt(ATTEMPT);
  expect(encrypted).toMatch(/^[\w-]+$/);
  expect(aesSignInCipher(keysOf('new', 'old')).decrypt(encrypted)).toEqual(ATTEMPT);
  expect(aesSignInCipher(keysOf('new')).decrypt(encrypted)).toBeNull();
});

test('a changed text, and the cookie of a session, are no sign-in', () => {
  const cipher = aesSignInCipher(keysOf('old'));
  const encrypted = cipher.encrypt(ATTEMPT);
  const session = { keyHash: 'ab'.repeat(32), begunAt: ATTEMPT.begunAt, usedAt: ATTEMPT.begunAt };
  const others = [
    '',
    'x'.repeat(50),
    `${encrypted.slice(0, -2)}AA`,
    `${encrypted}=`,
    aesSessionCipher(keysOf('old')).encrypt(session),
    'x'.repeat(100_000),
  ];
  expect(others.map((text) => cipher.decrypt(text))).toEqual(others.map(() => null));
});
