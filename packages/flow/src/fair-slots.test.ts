import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairSlots } from './fair-slots.ts';

test('one tenant takes half of the slots, the next one half of the rest, until none is free', () => {
  const slots = fairSlots<string>(8);
  const taken = ['a', 'b', 'c', 'd', 'e'].map((tenant) => {
    let count = 0;
    while (slots.take(tenant)) count++;
    return count;
  });
  expect(taken).toEqual([4, 2, 1, 1, 0]);
  expect([slots.free, slots.full]).toEqual([0, ['a', 'b', 'c', 'd']]);
});

test('one tenant never has more than its maximum', () => {
  const slots = fairSlots<string>(8, 2);
  expect([slots.take('a'), slots.take('a'), slots.take('a'), slots.full]).toEqual([true, true, false, ['a']]);
  expect([slots.take('b'), slots.free]).toEqual([true, 5]);
});

test('a slot that is given back can be taken by others', () => {
  const slots = fairSlots<string>(2);
  expect([slots.take('a'), slots.take('a'), slots.full]).toEqual([true, false, ['a']]);
  expect([slots.take('b'), slots.take('c')]).toEqual([true, false]);
  slots.give('a');
  expect([slots.free, slots.full, slots.take('c')]).toEqual([1, ['b'], true]);
});

test('a slot that cools down is free for others, and for its tenant once it is open again', () => {
  const slots = fairSlots<string>(8, 2);
  expect([slots.take('a'), slots.take('a')]).toEqual([true, true]);
  slots.coolDown('a');
  slots.coolDown('a');
  expect([slots.free, slots.take('a'), slots.take('b'), slots.take('b')]).toEqual([8, false, true, true]);
  slots.reopen('a');
  expect([slots.take('a'), slots.take('a'), slots.full]).toEqual([true, false, ['b', 'a']]);
  slots.reopen('a');
  expect(slots.take('a')).toBe(true);
});

test('another tenant always finds a slot, however many one takes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 64 }), fc.array(fc.boolean()), (count, takes) => {
      const slots = fairSlots<string>(count);
      let taken = 0;
      for (const isTake of takes) {
        if (isTake && slots.take('greedy')) taken++;
        else if (!isTake && taken > 0) {
          slots.give('greedy');
          taken--;
        }
        expect(slots.free).toBe(count - taken);
      }
      expect(slots.take('other')).toBe(true);
    }),
  );
});
