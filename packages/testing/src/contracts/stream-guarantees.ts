import { expect } from 'vitest';

// What a log stream guarantees about the entries in PostgreSQL, with one validator per guarantee. The terms are those
// of etcd's robustness tests.

/** *Ordered*: entries arrive in commit order, which is the order of `stored`. */
function expectOrdered(received: readonly string[], stored: readonly string[]): void {
  const positions = new Map(stored.map((id, position) => [id, position]));
  const order = received.map((id) => positions.get(id) ?? -1);
  expect(order, 'ordered').toEqual(order.toSorted((a, b) => a - b));
}

/** *Unique*: no entry arrives twice. */
export function expectUnique(received: readonly string[]): void {
  expect(new Set(received).size, 'unique').toBe(received.length);
}

/** *Reliable*: every stored entry arrives, and no others. */
export function expectReliable(received: readonly string[], stored: readonly string[]): void {
  expect(received.toSorted(), 'reliable').toEqual(stored.toSorted());
}

/** *Resumable*: streams that each resume where the last one ended have the same entries as an uninterrupted one. */
export function expectResumable(
  parts: readonly (readonly string[])[],
  uninterrupted: readonly string[],
): void {
  expect(parts.flat(), 'resumable').toEqual(uninterrupted);
}

/** *Ordered*, *unique* and *reliable*. */
export function expectGuarantees(received: readonly string[], stored: readonly string[]): void {
  expectUnique(received);
  expectReliable(received, stored);
  expectOrdered(received, stored);
}
