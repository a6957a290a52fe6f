import { expect, test } from 'vitest';
import { idsIn, withLatest } from './recent-projects.ts';

test('the project opened last comes first, once, and the oldest of six is forgotten', () => {
  expect(withLatest([], 7)).toEqual([7]);
  expect(withLatest([1, 2, 3], 3)).toEqual([3, 1, 2]);
  expect(withLatest([1, 2, 3, 4, 5], 6)).toEqual([6, 1, 2, 3, 4]);
});

test('what is stored may have been written by anybody', () => {
  expect(idsIn('')).toEqual([]);
  expect(idsIn('3,x,-1,0,1e3,4')).toEqual([3, 4]);
  expect(idsIn('1,2,3,4,5,6,7')).toEqual([1, 2, 3, 4, 5]);
});
