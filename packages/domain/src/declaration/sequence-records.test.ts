import { expect, test } from 'vitest';
import { sequenceRecords } from './sequence-records.ts';
import { INTEGER_MAX } from '../vocabulary/vocabulary.ts';

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

test('a record that would need a position after the last one is rejected', () => {
  const last = { id: 1, order: INTEGER_MAX };
  expect(sequenceRecords([{ id: 2, order: 3 }, {}, last], [last])).toEqual([3, 4, INTEGER_MAX]);
  const before = { id: 2, order: INTEGER_MAX };
  expect(() => sequenceRecords([before, last], [last, before])).toThrow(
    expect.objectContaining({ code: 'max_value' }),
  );
});
