import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Length } from '../kernel/text.ts';
import type { FieldChange } from './activity-entry.ts';
import { boundChanges, CHANGES_MAX, CHANGES_MAX_BYTES } from './bound-changes.ts';

const bound = (changes: readonly FieldChange[]) => boundChanges(changes, (change) => change);
const changeOf = (field: string, after = 'x'): FieldChange => ({ field, before: null, after });

test('an entry has all of a few small changes', () => {
  const changes = Array.from({ length: CHANGES_MAX }, (_, i) => changeOf(`config.${i}`));
  expect(bound(changes)).toEqual({ changes });
});

test('an entry has the first hundred changes, and counts the rest', () => {
  const changes = Array.from({ length: CHANGES_MAX + 20 }, (_, i) => changeOf(`config.${i}`));
  expect(bound(changes)).toEqual({ changes: changes.slice(0, CHANGES_MAX), more: 20 });
});

test('a change that is too large is only counted, and the others are kept', () => {
  const [first, last] = [changeOf('config.a'), changeOf('config.c')];
  const large = changeOf(`config.${'é'.repeat(CHANGES_MAX_BYTES / 2)}`);
  expect(bound([first, large, last])).toEqual({ changes: [first, last], more: 1 });
});

test('the changes of an entry never exceed the byte limit', () => {
  const change = fc.record({
    field: fc.string({ unit: 'binary', maxLength: 3000 }),
    before: fc.constant(null),
    after: fc.string({ unit: 'binary', maxLength: 3000 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40, size: 'max' }), (given) => {
      const { changes, more = 0 } = bound(given);
      expect(utf8Length(JSON.stringify(changes))).toBeLessThanOrEqual(CHANGES_MAX_BYTES + 2);
      expect(changes.length + more).toBe(given.length);
    }),
    { numRuns: 30 },
  );
});
