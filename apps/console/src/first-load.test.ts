import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUILT = new URL('../dist/', import.meta.url);

test.for([
  ['the console', 'index.html', 130_000],
  ['the embedded page', 'embed.html', 105_000],
] as const)('the first load of %s is small when compressed, with its font', ([, file, maxBytes]) => {
  const page = readFileSync(new URL(file, BUILT), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="\.\/(?<name>assets\/[^"]+)"/g)].map(
    ({ groups }) => groups?.['name'] ?? '',
  );
  expect(names.some((name) => name.endsWith('.js'))).toBe(true);
  expect(names.some((name) => name.endsWith('.css'))).toBe(true);
  expect(names.filter((name) => name.endsWith('.woff2'))).toHaveLength(1);
  const sizes = names.map((name) => gzipSync(readFileSync(new URL(name, BUILT))).length);
  expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThanOrEqual(maxBytes);
});
