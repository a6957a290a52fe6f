import { expect } from 'vitest';

// What a stream of a log promises about the entries that PostgreSQL holds, each with its validator. The words are those of etcd's
// robustness tests.

/** *Ordered*: entries come in the order of their commits. `stored` has that order. */
export function expectOrdered(received: readonly string[], stored: readonly string[]): void {
  const places = new Map(stored.map((id, place) => [id, place]));
  const order = received.map((id) => places.get(id) ?? -1);
  expect(order, 'ordered').toEqual(order.toSorted((a, b) => a - b));
}

/** *Unique*: no entry comes twice. */
export function expectUnique(received: readonly string[]): void {
  expect(new Set(received).size, 'unique').toBe(received.length);
}

/** *Reliable*: each entry that was stored comes, and no other. */
export function expectReliable(received: readonly string[], stored: readonly string[]): void {
  expect(received.toSorted(), 'reliable').toEqual(stored.toSorted());
}

/** *Resumable*: streams that each go on where the last one ended have together what an uninterrupted one has. */
export function expectResumable(
  parts: readonly (readonly string[])[],
  uninterrupted: readonly string[],
): void {
  expect(parts.flat(), 'resumable').toEqual(uninterrupted);
}
