import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recent } from './recent.ts';

const COUNT = { most: 10 };
const LENGTH = { most: 100, mostEach: 40, weightOf: (text: string) => text.length };

test('the last half is kept, however much is set', () => {
  const kept = recent<number, string>(COUNT);
  for (let n = 0; n < 1000; n++) {
    kept.set(n, `${n}`);
    for (let last = Math.max(0, n - 4); last <= n; last++) expect(kept.get(last)).toBe(`${last}`);
  }
  const found = Array.from({ length: 1000 }, (_, n) => kept.get(n)).filter((value) => value !== undefined);
  expect(found.length).toBeLessThanOrEqual(10);
});

test('what is set again counts once, and its last value holds', () => {
  const kept = recent<string, string>(COUNT);
  for (let n = 0; n < 4; n++) kept.set(`${n}`, 'first');
  for (let n = 0; n < 1000; n++) kept.set('often', `${n}`);
  expect(['0', '3', 'often'].map((key) => kept.get(key))).toEqual(['first', 'first', '999']);
});

test('what is set again and again outlives what is not', () => {
  const kept = recent<string, number>(COUNT);
  kept.set('once', 0);
  for (let n = 0; n < 100; n++) {
    kept.set(`other ${n}`, n);
    kept.set('often', n);
  }
  expect([kept.get('once'), kept.get('often')]).toEqual([undefined, 99]);
});

test('a value that is too heavy is not kept, nor the one before it', () => {
  const kept = recent<string, string>(LENGTH);
  kept.set('a', 'x'.repeat(40));
  kept.set('b', 'y');
  kept.set('a', 'x'.repeat(41));
  expect([kept.get('a'), kept.get('b')]).toEqual([undefined, 'y']);
});

test('what is deleted or cleared is not found, in whatever generation it was', () => {
  const kept = recent<number, number>(COUNT);
  for (let n = 0; n < 8; n++) kept.set(n, n);
  for (const n of [3, 7]) kept.delete(n);
  expect([3, 7, 4].map((n) => kept.get(n))).toEqual([undefined, undefined, 4]);
  kept.clear();
  expect([4, 6].map((n) => kept.get(n))).toEqual([undefined, undefined]);
});

test('whatever is set and deleted, it weighs no more than it may, and the last value that was set is found', () => {
  const key = fc.integer({ min: 0, max: 20 });
  const text = fc.integer({ min: 0, max: 110 }).map((length) => 'x'.repeat(length));
  const step = fc.oneof(fc.record({ key, text }), fc.record({ key, text: fc.constant(null) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(40, 100), (steps, mostEach) => {
      const kept = recent<number, string>({ ...LENGTH, mostEach });
      const set = new Map<number, string>();
      for (const { key: at, text: value } of steps) {
        if (value === null) kept.delete(at);
        else kept.set(at, value);
        const isKept = value !== null && value.length <= mostEach;
        if (isKept) set.set(at, value);
        else set.delete(at);
        expect(kept.get(at)).toBe(isKept ? value : undefined);
        const found = Array.from({ length: 21 }, (_, n) => [n, kept.get(n)] as const).filter(
          ([, one]) => one !== undefined,
        );
        for (const [n, one] of found) expect(one).toBe(set.get(n));
        expect(found.reduce((sum, [, one]) => sum + (one?.length ?? 0), 0)).toBeLessThanOrEqual(100);
      }
    }),
  );
});
