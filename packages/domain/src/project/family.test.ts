import { expect, test } from 'vitest';
import { familyNumber } from './family.ts';
import { FAMILIES, FAMILY } from '../vocabulary/vocabulary.ts';

test('family numbers are unique across projects and families', () => {
  const projects = [1, 2, 3, 2 ** 31, 2 ** 52, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER];
  const numbers = projects.flatMap((projectId) =>
    FAMILIES.map((family) => familyNumber({ projectId, family })),
  );
  expect(numbers.every(Number.isFinite)).toBe(true);
  expect(new Set(numbers).size).toBe(projects.length * FAMILIES.length);
});

test('families are numbered from 0', () => {
  const numbers = FAMILIES.map((family) => FAMILY[family].number);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([...FAMILIES.keys()]);
});
