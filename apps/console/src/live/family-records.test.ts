import type { ConfigRecord } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { merged } from './family-records.ts';

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
