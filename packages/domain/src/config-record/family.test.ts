import { expect, test } from 'vitest';
import { FAMILIES, familyNumber } from './family.ts';

test('no two families have the same number', () => {
  const numbers = [1, 2, Number.MAX_SAFE_INTEGER].flatMap((projectId) =>
    FAMILIES.map((family) => familyNumber({ projectId, family })),
  );
  expect(new Set(numbers).size).toBe(6);
});
