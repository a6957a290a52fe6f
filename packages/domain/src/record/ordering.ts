import { DomainError } from '../kernel/domain-error.ts';
import { INTEGER_MAX } from '../vocabulary/vocabulary.ts';

/** The position of a live record in its family. */
export interface RecordPosition {
  readonly id: number;
  readonly order: number;
}

/** Compares two records by position, then by id. */
export function byPosition(a: RecordPosition, b: RecordPosition): number {
  return a.order - b.order || a.id - b.id;
}

/** Returns the position of a new record: after the last live record, or 1 if there is none. */
export function nextOrder(last: number | null): number {
  if (last === INTEGER_MAX) throw noNextOrder();
  return (last ?? 0) + 1;
}

export function noNextOrder(): DomainError {
  return new DomainError('max_value', `The last position, ${INTEGER_MAX}, is taken; give an order.`, {
    attr: 'order',
  });
}

/**
 * Moves a live record to this position, or to the nearest one that leaves room for the others on both sides. The
 * others keep their relative order, with the smallest total movement. Records at the requested position shift towards
 * the position that became free. Returns only the changed positions.
 */
export function moveTo(
  live: readonly RecordPosition[],
  id: number,
  order: number,
): readonly RecordPosition[] {
  const sorted = live.toSorted(byPosition);
  const moved = sorted.find((record) => record.id === id);
  if (moved === undefined) return [];
  const others = sorted.filter((record) => record !== moved);
  const before = countBefore(others, moved, order);
  const target = clamp(order, before, INTEGER_MAX - (others.length - before));
  const arranged = [
    ...spread(others.slice(0, before), 0, target - 1),
    { id, order: target },
    ...spread(others.slice(before), target + 1, INTEGER_MAX),
  ];
  const old = new Map(live.map((record) => [record.id, record.order]));
  return arranged.filter((record) => old.get(record.id) !== record.order);
}

/** Returns how many other records end up before the moved one. */
function countBefore(others: readonly RecordPosition[], moved: RecordPosition, order: number): number {
  const below = others.filter((other) => other.order < order).length;
  const upTo = others.filter((other) => other.order <= order).length;
  const target = { id: moved.id, order };
  const shiftingDown =
    moved.order < order
      ? upTo
      : moved.order > order
        ? below
        : others.filter((o) => byPosition(o, target) < 0).length;
  const roomBelow = order;
  const roomAbove = INTEGER_MAX - order;
  return clamp(clamp(shiftingDown, others.length - roomAbove, roomBelow), below, upTo);
}

/**
 * Assigns distinct positions between two bounds, keeping the order of the sequence, with the smallest total movement.
 * A position minus its index may repeat but not decrease, so this is an isotonic regression, solved with running
 * medians.
 */
function spread(
  sequence: readonly RecordPosition[],
  lowest: number,
  highest: number,
): readonly RecordPosition[] {
  const ceiling = highest - sequence.length + 1;
  const seen: number[] = [];
  const levels = sequence.map(({ order }, index) => {
    const level = order - index;
    insertSorted(seen, level);
    if (seen.at(-1) !== level) {
      seen.pop();
      insertSorted(seen, level);
    }
    return seen.at(-1) ?? level;
  });
  for (let i = levels.length - 2; i >= 0; i--) levels[i] = Math.min(levels[i] ?? 0, levels[i + 1] ?? 0);
  return sequence.map(({ id }, index) => ({ id, order: clamp(levels[index] ?? 0, lowest, ceiling) + index }));
}

function insertSorted(sorted: number[], value: number): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, value);
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.max(lowest, Math.min(value, highest));
}
