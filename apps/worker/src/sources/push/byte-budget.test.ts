import { expect, test } from 'vitest';
import { byteBudget } from './byte-budget.ts';

test('what is taken is free again once it is given back', () => {
  const budget = byteBudget({ bytes: 100, share: 80 });
  expect([budget.take(1, 80), budget.take(2, 20), budget.take(2, 1)]).toEqual(['granted', 'granted', 'full']);
  budget.give(1, 80);
  expect([budget.used, budget.take(2, 60)]).toEqual([20, 'granted']);
});

test('nobody has more than a share, whatever is free', () => {
  const budget = byteBudget({ bytes: 100, share: 80 });
  expect([budget.take(1, 50), budget.take(1, 31), budget.take(1, 30)]).toEqual([
    'granted',
    'more than its share',
    'granted',
  ]);
  expect(budget.used).toBe(80);
});
