import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { permits, type Permits } from './permits.ts';

function takeAll({ take }: Permits, tenant: number): number {
  let taken = 0;
  while (take(tenant)) taken++;
  return taken;
}

test('a single tenant takes everything except the reserve, which later ones share', () => {
  const shared = permits(10, 4);
  expect([1, 2, 3, 4, 5].map((tenant) => takeAll(shared, tenant))).toEqual([6, 2, 1, 1, 0]);
  expect([shared.free, shared.full]).toEqual([0, [1, 2, 3, 4]]);
});

test('if everything is reserve, a tenant takes half, and the next one half of the rest', () => {
  const shared = permits(8);
  expect([1, 2, 3, 4, 5].map((tenant) => takeAll(shared, tenant))).toEqual([4, 2, 1, 1, 0]);
});

test('a tenant takes no more than each may hold', () => {
  const shared = permits(4, 4, 1);
  expect([1, 2, 3, 4, 5].map((tenant) => takeAll(shared, tenant))).toEqual([1, 1, 1, 1, 0]);
});

test('a single permit can be taken, returned and taken by another tenant', () => {
  const shared = permits(1, 0);
  expect([shared.take(1), shared.take(2)]).toEqual([true, false]);
  shared.give(1);
  expect([shared.take(2), shared.full]).toEqual([true, [2]]);
});

test('a second tenant always finds a permit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 64 }),
      fc.integer({ min: 1, max: 64 }),
      fc.array(fc.boolean()),
      (max, reserve, takes) => {
        const shared = permits(max, reserve);
        let taken = 0;
        for (const isTake of takes) {
          if (isTake && shared.take(1)) taken++;
          else if (!isTake && taken > 0) {
            shared.give(1);
            taken--;
          }
          expect(shared.free).toBe(max - taken);
        }
        expect(shared.take(2)).toBe(true);
      },
    ),
  );
});
