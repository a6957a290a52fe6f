import type { RecordPosition } from './ordering.ts';

/** Returns records at these positions, with ids from 0. */
export function recordsAt(orders: readonly number[]): readonly RecordPosition[] {
  return orders.map((order, id) => ({ id, order }));
}

/** Returns the records after the changes, in their original sequence. */
export function after(
  live: readonly RecordPosition[],
  changes: readonly RecordPosition[],
): readonly RecordPosition[] {
  const orders = new Map(changes.map(({ id, order }) => [id, order]));
  return live.map(({ id, order }) => ({ id, order: orders.get(id) ?? order }));
}
