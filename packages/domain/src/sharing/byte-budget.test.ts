import { expect, test } from 'vitest';
import { byteBudget } from './byte-budget.ts';

test('bytes that are given back can be taken by others', () => {
  const budget = byteBudget({ bytes: 100, share: 50 });
  const [first, second] = [budget.claim('a'), budget.claim('b')];
  expect([first.take(50), second.take(25), second.take(1)]).toEqual(['granted', 'granted', 'budget full']);
  first.release();
  expect([budget.used, second.take(12)]).toEqual([25, 'granted']);
  second.give(30);
  expect(budget.used).toBe(7);
});

test('no holder has more than its share, however many claims it opens', () => {
  const budget = byteBudget({ bytes: 200, share: 80 });
  const [one, other] = [budget.claim('a'), budget.claim('a')];
  expect([one.take(50), other.take(31), other.take(30)]).toEqual(['granted', 'share exceeded', 'granted']);
  expect(budget.used).toBe(80);
});

test('some memory is left for a newcomer, however much the others take', () => {
  const budget = byteBudget({ bytes: 1024, share: 512 });
  for (let holder = 0; holder < 9; holder++) {
    const before = budget.used;
    const claim = budget.claim(holder);
    while (claim.take(1) === 'granted');
    expect(budget.used - before).toBe(2 ** (9 - holder));
  }
  expect(budget.claim('newcomer').take(1)).toBe('granted');
});

test('a claim gives its bytes back once, however often it is released, and takes nothing afterwards', () => {
  const budget = byteBudget({ bytes: 100, share: 50 });
  const claim = budget.claim('a');
  claim.take(40);
  claim.release();
  claim.release();
  expect([budget.used, claim.take(1)]).toEqual([0, 'budget full']);
});
