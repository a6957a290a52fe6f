import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byPosition, type RecordPosition } from '../record/ordering.ts';
import { INTEGER_MAX } from '../vocabulary/vocabulary.ts';
import { sequenceRecords, type Sequenced } from './sequence-records.ts';

test('existing records share their positions, and new ones follow their predecessor without moving others', () => {
  const live = [
    { id: 1, order: 1 },
    { id: 2, order: 4 },
    { id: 9, order: 5 },
  ];
  const [first, second] = live;
  expect(sequenceRecords([second ?? {}, first ?? {}, {}], live)).toEqual([1, 4, 4]);
  expect(sequenceRecords([first ?? {}, {}, second ?? {}], live)).toEqual([1, 2, 4]);
});

test('new records that follow each other get different positions, since their ids are unknown', () => {
  const existing = [4, 2, 4, 1, 4, 3, 0, 5, 5].map((order, i) => ({ id: i + 1, order }));
  const sequence = [...existing.slice(0, 2), {}, {}, ...existing.slice(2)];
  const settled = settle(sequence, existing, [11, 10]);
  expect(settled.toSorted(byPosition)).toEqual(settled);
});

test('a record that would need a position after the last one is rejected', () => {
  const last = { id: 1, order: INTEGER_MAX };
  expect(sequenceRecords([{ id: 2, order: 3 }, {}, last], [last])).toEqual([3, 4, INTEGER_MAX]);
  const before = { id: 2, order: INTEGER_MAX };
  expect(() => sequenceRecords([before, last], [last, before])).toThrow(
    expect.objectContaining({ code: 'max_value' }),
  );
});

describe('for any records', () => {
  /**
   * Existing records at few positions, some of them not in the document, and new records, whose ids are drawn in any sequence.
   */
  const world = fc
    .record({
      orders: fc.array(fc.nat(6), { maxLength: 10 }),
      places: fc.array(fc.nat(12), { maxLength: 8 }),
      owned: fc.nat(10),
    })
    .chain(({ orders, places, owned }) => {
      const live = orders.map((order, i) => ({ id: i + 1, order }));
      const newIds = places.map((_, i) => live.length + 1 + i);
      return fc.record({
        live: fc.constant(live),
        existing: fc.shuffledSubarray(live, { minLength: Math.min(owned, live.length) }),
        places: fc.constant(places),
        newIds: fc.shuffledSubarray(newIds, { minLength: newIds.length }),
      });
    });

  test('they end in the sequence, whatever ids the new ones get, and stay there', () => {
    fc.assert(
      fc.property(world, ({ live, existing, places, newIds }) => {
        const sequence = places.reduce<readonly Sequenced[]>(
          (records, at) => records.toSpliced(Math.min(at, records.length), 0, {}),
          existing,
        );
        const settled = settle(sequence, live, newIds);
        expect(settled.toSorted(byPosition)).toEqual(settled);
        const others = live.filter(({ id }) => !settled.some((record) => record.id === id));
        expect(settle(settled, [...others, ...settled], [])).toEqual(settled);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Returns the records at their new positions. New records get these ids. */
function settle(
  sequence: readonly Sequenced[],
  live: readonly RecordPosition[],
  newIds: readonly number[],
): readonly RecordPosition[] {
  const ids = newIds.values();
  const positions = sequenceRecords(sequence, live);
  return sequence.map(({ id }, i) => ({ id: id ?? ids.next().value ?? 0, order: positions[i] ?? 0 }));
}
