import type { Placed } from './ordering.ts';

/** Records at these positions, with ids from 0 on. */
export function placed(orders: readonly number[]): readonly Placed[] {
  return orders.map((order, id) => ({ id, order }));
}

/** The records after the changes, in the sequence in which they came. */
export function after(live: readonly Placed[], changes: readonly Placed[]): readonly Placed[] {
  const orders = new Map(changes.map(({ id, order }) => [id, order]));
  return live.map(({ id, order }) => ({ id, order: orders.get(id) ?? order }));
}
