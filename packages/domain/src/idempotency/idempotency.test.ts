import { expect, test } from 'vitest';
import { checkIdempotencyKey, requireSameBody } from './idempotency-key.ts';

test.each(['a', '0b5f7c1e-6d1f', 'with "quotes" and spaces', '~'.repeat(255)])('%j is a key', (text) => {
  expect(() => checkIdempotencyKey(text)).not.toThrow();
});

test.each(['', 'x'.repeat(256), 'ü', 'tab\t', '\u007F'])('%j is not a key', (text) => {
  expect(() => checkIdempotencyKey(text)).toThrow(
    expect.objectContaining({ code: 'invalid_input', attr: 'Idempotency-Key' }),
  );
});

test('a repeated request must have the same body', () => {
  expect(() => requireSameBody('body', 'body')).not.toThrow();
  expect(() => requireSameBody('other', 'body')).toThrow(
    expect.objectContaining({ code: 'idempotency_mismatch' }),
  );
});
