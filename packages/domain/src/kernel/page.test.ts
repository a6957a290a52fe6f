import { expect, test } from 'vitest';
import { itemsThatFit } from './page.ts';

test.each([
  [[], []],
  [[3], [3]],
  [[11], [11]],
  [[11, 1], [11]],
  [
    [4, 6, 1],
    [4, 6],
  ],
  [[0, 11, 1], [0]],
  [[5, 6, 1], [5]],
])('of items with %j bytes, %j fit into 10', (items, fitting) => {
  expect(itemsThatFit(items, (bytes) => bytes, 10)).toEqual(fitting);
});
