import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compress } from './compress.ts';

const BODY = Buffer.from('0123456789'.repeat(10_000));

test('a body is compressed with either encoding', async () => {
  expect(brotliDecompressSync((await compress(BODY, 'br')) ?? '').equals(BODY)).toBe(true);
  expect(gunzipSync((await compress(BODY, 'gzip')) ?? '').equals(BODY)).toBe(true);
});

test('two bodies are compressed at a time, and a third is left uncompressed', async () => {
  const [first, second] = [compress(BODY, 'br'), compress(BODY, 'gzip')];
  expect(compress(BODY, 'br')).toBeNull();
  await first;
  await second;
  expect(await compress(BODY, 'br')).not.toBeNull();
});
