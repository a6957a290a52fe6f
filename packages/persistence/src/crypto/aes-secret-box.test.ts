import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { aesSecretBox } from './aes-secret-box.ts';

const OLD = ['2025', randomBytes(32)] as const;
const NEW = ['2026', randomBytes(32)] as const;

test.each(['', 'secret', '"a JSON text"', 'Größe 🚀', 'x'.repeat(100_000)])(
  '%j is opened as it was sealed',
  (plain) => {
    const box = aesSecretBox(new Map([NEW]));
    const sealed = box.seal(plain);
    expect(plain !== '' && sealed.includes(plain)).toBe(false);
    expect(box.open(sealed)).toBe(plain);
  },
);

test('the same text is never sealed the same way twice', () => {
  const { seal } = aesSecretBox(new Map([NEW]));
  expect(seal('secret')).not.toBe(seal('secret'));
});

test('the first key seals, and the sealed text names it', () => {
  expect(aesSecretBox(new Map([NEW, OLD])).seal('secret')).toMatch(/^2026\./);
});

test('texts of the old key can still be opened after a rotation', () => {
  const sealed = aesSecretBox(new Map([OLD])).seal('secret');
  expect(aesSecretBox(new Map([NEW, OLD])).open(sealed)).toBe('secret');
});

test('a text of a missing key is not opened, and the error names the key', () => {
  const sealed = aesSecretBox(new Map([OLD])).seal('secret');
  expect(() => aesSecretBox(new Map([NEW])).open(sealed)).toThrow('"2025"');
});

test('nothing is sealed without a key', () => {
  const sealing = () => aesSecretBox(new Map()).seal('secret');
  expect(sealing).toThrow(expect.objectContaining({ code: 'invalid_input', attr: 'config' }));
});

test('a tampered text is not opened', () => {
  const box = aesSecretBox(new Map([NEW, OLD]));
  const sealed = box.seal('secret');
  const [, base64 = ''] = sealed.split('.');
  const bytes = Buffer.from(base64, 'base64');
  for (const at of [0, 12, bytes.length - 1]) {
    const tampered = Buffer.from(bytes);
    tampered.writeUInt8(tampered.readUInt8(at) ^ 1, at);
    expect(() => box.open(`2026.${tampered.toString('base64')}`)).toThrow();
  }
  expect(() => box.open(`2025.${base64}`)).toThrow();
  expect(() => box.open('2026.')).toThrow();
});
