import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { aesSecretBox } from './aes-secret-box.ts';
import { aesSessionSeal } from './aes-session-seal.ts';

const OLD = ['2025', randomBytes(32)] as const;
const NEW = ['2026', randomBytes(32)] as const;
const SESSION = {
  keyHash: 'ab'.repeat(32),
  begunAt: new Date('2026-01-02T03:04:05.678Z'),
  usedAt: new Date('2026-01-02T04:04:05.678Z'),
};
const { seal, open } = aesSessionSeal(new Map([NEW]));

test('a session is opened as it was sealed, and shows nothing of its key', () => {
  const sealed = seal(SESSION);
  expect(open(sealed)).toEqual(SESSION);
  expect(Buffer.from(sealed, 'base64url').toString('hex')).not.toContain(SESSION.keyHash.slice(0, 8));
  expect(seal(SESSION)).not.toBe(sealed);
});

test('only the first key opens a session', () => {
  const sealed = aesSessionSeal(new Map([OLD])).seal(SESSION);
  expect(open(sealed)).toBeNull();
  expect(aesSessionSeal(new Map([NEW, OLD])).open(sealed)).toBeNull();
  expect(aesSessionSeal(new Map([OLD, NEW])).open(sealed)).toEqual(SESSION);
});

test('no changed bit is opened', () => {
  const bytes = Buffer.from(seal(SESSION), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const forged = Buffer.from(bytes);
    forged.writeUInt8(forged.readUInt8(at) ^ 1, at);
    expect(open(forged.toString('base64url'))).toBeNull();
  }
});

test.for(['', 'x', 'é'.repeat(96), 'A'.repeat(96), `${'A'.repeat(95)}=`, 'A'.repeat(1_000_000)])(
  'a text of another form is not opened',
  (text) => {
    expect(open(text)).toBeNull();
    expect(open(`${seal(SESSION)}${text}`) === null).toBe(text !== '');
  },
);

test('a sealed secret is no session, and a session no secret', () => {
  const box = aesSecretBox(new Map([NEW]));
  // 44 letters, as many bytes as a session has.
  const [id, secret = ''] = box.seal('x'.repeat(44)).split('.');
  expect(open(Buffer.from(secret, 'base64').toString('base64url'))).toBeNull();
  const session = Buffer.from(seal(SESSION), 'base64url').toString('base64');
  expect(() => box.open(`${id}.${session}`)).toThrow();
});

test('without a key there is no session', () => {
  const none = aesSessionSeal(new Map());
  expect([none.isReady, none.open(seal(SESSION))]).toEqual([false, null]);
  expect(() => none.seal(SESSION)).toThrow();
});
