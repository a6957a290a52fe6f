import { DomainError } from '../kernel/domain-error.ts';
import { INTEGER_MAX } from '../vocabulary/vocabulary.ts';

export interface RecordPosition {
  readonly id: number;
  readonly order: number;
}

/** Compares two records by position, then by id. */
export function byPosition(a: RecordPosition, b: RecordPosition): number {
  return a.order - b.order || a.id - b.id;
}

export function noNextOrder(): DomainError {
  return new DomainError('max_value', `The last position, ${INTEGER_MAX}, is taken; give an order.`, {
    attr: 'order',
  });
}

/**
 * Moves a live record to exactly this position. Records in its way move towards the position that becomes free, by as
 * little as makes room, or the other way at a bound. The others keep their relative order, and their ties unless these
 * are in the way. Returns only the changed positions.
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
  return [
    ...makeRoom(others.slice(0, before).toReversed(), order, -1),
    ...(moved.order === order ? [] : [{ id, order }]),
    ...makeRoom(others.slice(before), order, 1),
  ];
}

/** Pushes records away from a position, the nearest one first, until one is not in the way. */
function makeRoom(nearestFirst: readonly RecordPosition[], from: number, step: 1 | -1): RecordPosition[] {
  const pushed: RecordPosition[] = [];
  let free = from + step;
  for (const { id, order } of nearestFirst) {
    if ((order - free) * step >= 0) break;
    pushed.push({ id, order: free });
    free += step;
  }
  return pushed;
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

function clamp(value: number, lowest: number, highest: number): number {
  return Math.max(lowest, Math.min(value, highest));
}
