import { DomainError } from '../kernel/domain-error.ts';
import { INTEGER_MAX } from './config-record.ts';

export interface Placed {
  readonly id: number;
  readonly order: number;
}

/** The order of every list: by position, ties by id. */
export function byPlace(a: Placed, b: Placed): number {
  return a.order - b.order || a.id - b.id;
}

/** The position after the last live one; the first is 1. */
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
 * Moves one of the live records to a position. It gets exactly that one; the others keep their relative order
 * and give way with the least movement in all, those that stand there towards the place that became free.
 * Where the others leave no room below or above, it gets the nearest position that does.
 * Answers what changes: records that stay where they are, are left out.
 */
export function moveTo(live: readonly Placed[], id: number, order: number): readonly Placed[] {
  const sorted = live.toSorted(byPlace);
  const moved = sorted.find((record) => record.id === id);
  if (moved === undefined) return [];
  const others = sorted.filter((record) => record !== moved);
  const before = countBefore(others, moved, order);
  const target = clamp(order, before, INTEGER_MAX - (others.length - before));
  const settled = [
    ...spread(others.slice(0, before), 0, target - 1),
    { id, order: target },
    ...spread(others.slice(before), target + 1, INTEGER_MAX),
  ];
  const old = new Map(live.map((record) => [record.id, record.order]));
  return settled.filter((record) => old.get(record.id) !== record.order);
}

/** How many of the others end up before the moved one. */
function countBefore(others: readonly Placed[], moved: Placed, order: number): number {
  const below = others.filter((other) => other.order < order).length;
  const upTo = others.filter((other) => other.order <= order).length;
  const asked = { id: moved.id, order };
  const givingWayDown =
    moved.order < order
      ? upTo
      : moved.order > order
        ? below
        : others.filter((o) => byPlace(o, asked) < 0).length;
  const roomBelow = order;
  const roomAbove = INTEGER_MAX - order;
  return clamp(clamp(givingWayDown, others.length - roomAbove, roomBelow), below, upTo);
}

/**
 * Distinct positions between two bounds, in the given sequence, with the least sum of movements.
 * Less its index, each position may repeat but not fall: an isotonic regression, by its running medians.
 */
function spread(sequence: readonly Placed[], lowest: number, highest: number): readonly Placed[] {
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
