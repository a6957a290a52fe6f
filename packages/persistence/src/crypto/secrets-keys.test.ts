import { expect, test } from 'vitest';
import { readSecretsKeys } from './secrets-keys.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER = Buffer.alloc(32, 2).toString('base64');

test('keys are read in order', () => {
  const keys = readSecretsKeys(`new:${KEY},old:${OTHER}`);
  expect([...(keys ?? [])]).toEqual([
    ['new', Buffer.alloc(32, 1)],
    ['old', Buffer.alloc(32, 2)],
  ]);
});

test('an empty setting has no keys', () => {
  expect(readSecretsKeys('')?.size).toBe(0);
});

test.each([
  'no-key',
  `:${KEY}`,
  `bad id:${KEY}`,
  'id:',
  'id:not base64!',
  `id:${Buffer.alloc(16).toString('base64')}`,
  `id:${Buffer.alloc(33).toString('base64')}`,
  `id:${KEY},id:${OTHER}`,
])('%j is not a list of keys', (text) => {
  expect(readSecretsKeys(text)).toBeNull();
});
