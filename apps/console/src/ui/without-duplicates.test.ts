import { expect, test } from 'vitest';
import { withoutDuplicates } from './without-duplicates.ts';

test('an item on two pages is shown once, in its first position and latest state', () => {
  expect(withoutDuplicates([{ id: 2 }, { id: 1, name: 'old' }, { id: 1, name: 'new' }, { id: 0 }])).toEqual([
    { id: 2 },
    { id: 1, name: 'new' },
    { id: 0 },
  ]);
  expect(withoutDuplicates([{ number: 2 }, { number: 2 }, { number: 1 }])).toEqual([
    { number: 2 },
    { number: 1 },
  ]);
});
