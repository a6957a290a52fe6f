import type { ConfigRecord } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { merged, showsOtherErrors } from './family-records.ts';

const record = fc.record({
  id: fc.integer({ min: 1, max: 30 }),
  order: fc.integer({ min: 1, max: 30 }),
  deleted: fc.boolean(),
}) as fc.Arbitrary<ConfigRecord>;
const records = fc.uniqueArray(record, { selector: ({ id }) => id });

test('changed records replace those with their ids, deleted ones leave, and the order is that of the list', () => {
  fc.assert(
    fc.property(records, records, (known, changed) => {
      const earlier = merged([], known);
      const later = merged(earlier, changed);
      const changedIds = new Set(changed.map(({ id }) => id));
      const expected = [...earlier.filter(({ id }) => !changedIds.has(id)), ...changed]
        .filter(({ deleted }) => !deleted)
        .toSorted((a, b) => a.order - b.order || a.id - b.id);
      expect(later).toEqual(expected);
      expect(merged(later, [])).toBe(later);
    }),
  );
});

test.for([
  ['none', [{ id: 1, error: null }], false],
  [
    'the same',
    [
      { id: 1, error: null },
      { id: 2, error: 'a' },
    ],
    false,
  ],
  ['another one', [{ id: 2, error: 'b' }], true],
  ['a new one', [{ id: 1, error: 'a' }], true],
  ['that of a new record', [{ id: 3, error: 'a' }], true],
] as const)('records that show %s', ([, shown, isOther]) => {
  const state = (of: readonly object[]) => ({ version: '', tag: '', records: of as readonly ConfigRecord[] });
  const earlier = state([
    { id: 1, error: null },
    { id: 2, error: 'a' },
  ]);
  expect(showsOtherErrors(earlier, state(shown))).toBe(isOther);
  expect(showsOtherErrors(undefined, earlier)).toBe(false);
  expect(showsOtherErrors(earlier, undefined)).toBe(false);
});
