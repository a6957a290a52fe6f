import { expect, test } from 'vitest';
import { byteBudget } from './byte-budget.ts';

test('bytes that are given back can be taken by others', () => {
  const budget = byteBudget({ bytes: 100, share: 80 });
  const [first, second] = [budget.claim(1), budget.claim(2)];
  expect([first.take(80), second.take(20), second.take(1)]).toEqual(['granted', 'granted', 'budget full']);
  first.release();
  expect([budget.used, second.take(60)]).toEqual([20, 'granted']);
  second.give(50);
  expect([budget.used, second.bytes]).toEqual([30, 30]);
});

test('no holder has more than its share, however many claims it opens', () => {
  const budget = byteBudget({ bytes: 100, share: 80 });
  const [one, other] = [budget.claim(1), budget.claim(1)];
  expect([one.take(50), other.take(31), other.take(30)]).toEqual(['granted', 'share exceeded', 'granted']);
  expect(budget.used).toBe(80);
});

test('a claim gives its bytes back once, however often it is released, and takes nothing afterwards', () => {
  const budget = byteBudget({ bytes: 100, share: 100 });
  const claim = budget.claim(1);
  claim.take(40);
  claim.release();
  claim.release();
  expect([budget.used, claim.bytes, claim.take(1)]).toEqual([0, 0, 'budget full']);
});
