import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uuid7Source } from './uuid7.ts';

test('ids have version 7, contain their time, and increase', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 50 }), (steps) => {
      const nextId = uuid7Source();
      let now = 1_700_000_000_000;
      const ids = steps.map((step) => nextId((now += step)));
      for (const id of ids)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(ids.toSorted()).toEqual(ids);
      expect(timeOf(ids.at(-1) ?? '')).toBe(now);
    }),
  );
});

test('ids increase even if a millisecond has too many of them or the clock is set back', () => {
  const nextId = uuid7Source();
  const ids = Array.from({ length: 10_000 }, (_, index) => nextId(1_700_000_000_000 - index));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(10_000);
});

function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 13).replace('-', ''), 16);
}
