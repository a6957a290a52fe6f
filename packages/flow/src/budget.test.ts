import { expect, test } from 'vitest';
import { budget as budgetOf } from './budget.ts';

test('returned bytes are available to others', () => {
  const budget = budgetOf({ amount: 100, share: 50 });
  const [first, second] = [budget.reservation(1), budget.reservation(2)];
  expect([first.take(50), second.take(25), second.take(1)]).toEqual(['granted', 'granted', 'budget full']);
  first.release();
  expect([budget.used, second.take(12)]).toEqual([25, 'granted']);
  second.give(30);
  expect(budget.used).toBe(7);
});

test('no tenant exceeds its share, even with many reservations', () => {
  const budget = budgetOf({ amount: 200, share: 80 });
  const [one, other] = [budget.reservation(1), budget.reservation(1)];
  expect([one.take(50), other.take(31), other.take(30)]).toEqual(['granted', 'share exceeded', 'granted']);
  expect(budget.used).toBe(80);
});

test('something is always left for a new tenant', () => {
  const budget = budgetOf({ amount: 1024, share: 512 });
  for (let tenant = 0; tenant < 9; tenant++) {
    const before = budget.used;
    const reservation = budget.reservation(tenant);
    while (reservation.take(1) === 'granted');
    expect(budget.used - before).toBe(2 ** (9 - tenant));
  }
  expect(budget.reservation(99).take(1)).toBe('granted');
});

test('a reservation returns its bytes only once, and takes no more once it is released', () => {
  const budget = budgetOf({ amount: 100, share: 50 });
  const reservation = budget.reservation(1);
  reservation.take(40);
  reservation.release();
  reservation.release();
  expect([budget.used, reservation.take(1)]).toEqual([0, 'budget full']);
});
