import { randomBytes } from 'node:crypto';
import type { AccessToken } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { hmacAccessTokens } from './hmac-access-tokens.ts';
import { aesSessionCipher } from './aes-session-cipher.ts';
import type { SecretsKeys } from './secrets-keys.ts';

const [OLD, NEW, OTHER] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const keys = (...all: readonly Buffer[]): SecretsKeys => new Map(all.map((key, i) => [`key-${i}`, key]));
const TOKEN: AccessToken = {
  keyHash: 'ab'.repeat(32),
  scopes: ['config:write', 'plugin_log:write'],
  projectIds: [3, 7],
  pluginIds: [12],
  subject: { id: 'user-17', name: 'Ada “Countess” Lovelace' },
  expiresAt: new Date('2026-03-01T09:30:00.250Z'),
};
const PLAIN: AccessToken = { ...TOKEN, projectIds: [], pluginIds: [], subject: null };

test.for([TOKEN, PLAIN])('a token says what was signed', (token) => {
  const tokens = hmacAccessTokens(keys(OLD));
  const text = tokens.sign(token);
  expect(text).toMatch(/^pct_[\w-]+\.[\w-]{43}$/);
  expect(tokens.verify(text)).toEqual(token);
});

test('the first key signs, and a token of any key in the list counts', () => {
  const before = hmacAccessTokens(keys(OLD)).sign(TOKEN);
  const rotated = hmacAccessTokens(keys(NEW, OLD));
  expect(rotated.verify(before)).toEqual(TOKEN);
  expect(hmacAccessTokens(keys(NEW)).verify(rotated.sign(TOKEN))).toEqual(TOKEN);
  expect(hmacAccessTokens(keys(NEW)).verify(before)).toBeNull();
});

test('a changed, cut or foreign token does not count', () => {
  const tokens = hmacAccessTokens(keys(OLD));
  const text = tokens.sign(TOKEN);
  // A token that was verified before does not vouch for another.
  expect([tokens.verify(text), tokens.verify(text)]).toEqual([TOKEN, TOKEN]);
  const [head = '', signature = ''] = text.split('.');
  const claims = JSON.parse(Buffer.from(head.slice(4), 'base64url').toString()) as object;
  const forged = `pct_${Buffer.from(JSON.stringify({ ...claims, s: ['*'] })).toString('base64url')}.${signature}`;
  const session = { keyHash: TOKEN.keyHash, begunAt: new Date(), usedAt: new Date() };
  const texts = [
    forged,
    hmacAccessTokens(keys(OTHER)).sign(TOKEN),
    `${head}.`,
    head,
    `${head}.${signature.slice(1)}`,
    `${text}=`,
    ` ${text}`,
    text.replace('pct_', 'phx_'),
    `pct_${'a'.repeat(12_001)}.${signature}`,
    aesSessionCipher(keys(OLD)).encrypt(session),
    'pct_.',
    '',
  ];
  expect(texts.map((one) => tokens.verify(one))).toEqual(texts.map(() => null));
});

test('every character of a token is signed', () => {
  const tokens = hmacAccessTokens(keys(OLD));
  const text = tokens.sign(TOKEN);
  // The last character of a signature has two bits to spare.
  const changed = [...text].slice(0, -1).map((char, i) => {
    const other = char === 'A' ? 'B' : 'A';
    return text.slice(0, i) + other + text.slice(i + 1);
  });
  expect(changed.filter((one) => tokens.verify(one) !== null)).toEqual([]);
});

test('nothing is signed without a key', () => {
  expect(() => hmacAccessTokens(keys()).sign(TOKEN)).toThrow('SECRETS_KEYS is not set');
});
