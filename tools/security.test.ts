import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SECURITY = new URL('../SECURITY.md', import.meta.url);

/** The tests that it names, in code marks. */
function namedTests(text: string): readonly string[] {
  return [...text.matchAll(/`(?<path>[^`\s]+\.ts)`/g)].map(({ groups }) => groups?.['path'] ?? '');
}

test('each test that SECURITY.md names is there, and each bound names one', () => {
  const text = readFileSync(SECURITY, 'utf8');
  const missing = namedTests(text).filter((path) => !existsSync(new URL(path, SECURITY)));
  const bounds = /## Bounds\n(?<bounds>.*?)\n## /s.exec(text)?.groups?.['bounds'] ?? '';
  const rows = bounds.split('\n').filter((line) => line.startsWith('| '));
  const alone = rows.slice(1).filter((row) => namedTests(row).length === 0);
  expect({ rows: rows.length > 20, missing, alone }).toEqual({ rows: true, missing: [], alone: [] });
});
