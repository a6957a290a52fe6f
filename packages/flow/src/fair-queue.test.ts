import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairQueue } from './fair-queue.ts';

function drain<Item>(queue: { next(): Item | undefined }): readonly Item[] {
  const items: Item[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item);
  return items;
}

test('tenants take turns, and the items of one tenant keep their order', () => {
  const queue = fairQueue<string, string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item);
  expect(queue.size).toBe(6);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect(queue.size).toBe(0);
});

test('removing an item keeps the order of the others', () => {
  const queue = fairQueue<string, string>();
  for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item);
  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('x', 'x1')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(drain(queue)).toEqual(['a2', 'b1']);
});

test('a tenant whose first item does not fit is skipped, and keeps its turn', () => {
  const queue = fairQueue<string, string>();
  for (const item of ['a1', 'a2', 'b1', 'c1']) queue.add(item.charAt(0), item);
  expect([queue.next((tenant) => tenant !== 'a'), queue.next((_, item) => item === 'c9')]).toEqual([
    'b1',
    undefined,
  ]);
  expect(drain(queue)).toEqual(['a1', 'c1', 'a2']);
});

test('a tenant waits for at most one item of each other tenant', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 })), (others) => {
      const queue = fairQueue<number, object>();
      for (const tenant of others) queue.add(tenant, {});
      const own = {};
      queue.add(0, own);
      const ahead = drain(queue).indexOf(own);
      expect(ahead).toBe(new Set(others).size);
    }),
  );
});
