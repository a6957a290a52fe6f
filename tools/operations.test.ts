import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEAD_REASONS } from '../packages/domain/src/index.ts';

test('docs/operations.md explains every reason of dead letters, and no other', () => {
  const text = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
  const table = /\| Reason \| The message \|\n(?<rows>(?:\|.*\n)+)/.exec(text)?.groups?.['rows'] ?? '';
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '');
  const reasons = cells.flatMap((cell) =>
    [...cell.matchAll(/`(?<reason>\w+)`/g)].map(([, reason]) => reason),
  );
  expect(new Set(reasons)).toEqual(new Set(DEAD_REASONS));
});
