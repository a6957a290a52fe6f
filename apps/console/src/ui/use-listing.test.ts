import { expect, test } from 'vitest';
import { onlyOnce } from './use-listing.ts';

test('an item that two pages have is shown once, where it was first, as it was read last', () => {
  expect(onlyOnce([{ id: 2 }, { id: 1, name: 'old' }, { id: 1, name: 'new' }, { id: 0 }])).toEqual([
    { id: 2 },
    { id: 1, name: 'new' },
    { id: 0 },
  ]);
  expect(onlyOnce([{ number: 2 }, { number: 2 }, { number: 1 }])).toEqual([{ number: 2 }, { number: 1 }]);
});
