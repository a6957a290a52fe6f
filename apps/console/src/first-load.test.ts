import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUILT = new URL('../dist/', import.meta.url);
const MAX_BYTES = 150_000;

test('the first load of the console is at most 150 kB compressed', () => {
  const page = readFileSync(new URL('index.html', BUILT), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="\.\/(?<name>assets\/[^"]+)"/g)].map(
    ({ groups }) => groups?.['name'] ?? '',
  );
  expect(names.some((name) => name.endsWith('.js'))).toBe(true);
  expect(names.some((name) => name.endsWith('.css'))).toBe(true);
  const sizes = names.map((name) => gzipSync(readFileSync(new URL(name, BUILT))).length);
  expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThanOrEqual(MAX_BYTES);
});
