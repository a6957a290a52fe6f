import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUILT = new URL('../dist/', import.meta.url);
const MAX_BYTES = 120_000;

test('the first load of the console is at most 120 kB compressed, with its font', () => {
  const page = readFileSync(new URL('index.html', BUILT), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="\.\/(?<name>assets\/[^"]+)"/g)].map(
    ({ groups }) => groups?.['name'] ?? '',
  );
  expect(names.some((name) => name.endsWith('.js'))).toBe(true);
  expect(names.some((name) => name.endsWith('.css'))).toBe(true);
  expect(names.filter((name) => name.endsWith('.woff2'))).toHaveLength(1);
  const sizes = names.map((name) => gzipSync(readFileSync(new URL(name, BUILT))).length);
  expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThanOrEqual(MAX_BYTES);
});
