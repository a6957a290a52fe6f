import type { ConfigRecord, Move, Positions } from '@plugin-config/client';
import { perText, RECORD_TEXTS } from '@plugin-config/domain/vocabulary';

/** Where to move a record: an end of the list, next to another record, or a position. */
export type Destination =
  | 'first'
  | 'last'
  | { readonly before: number }
  | { readonly after: number }
  | { readonly position: number };

export type MoveRequest =
  | { readonly move: Move }
  /** For a record whose fields are not unique, or a move between records at the same position. */
  | { readonly positions: Positions };

export interface PlannedMove {
  readonly request: MoveRequest;
  /** The records in the order after the move. */
  readonly expected: readonly ConfigRecord[];
}

export const POSITION_MAX = 2 ** 31 - 1;

/**
 * Returns the request that moves a record of a sorted family; null if it is already there, or if it or its new
 * neighbour is missing.
 */
export function planMove(records: readonly ConfigRecord[], id: number, to: Destination): PlannedMove | null {
  const from = records.findIndex((record) => record.id === id);
  const moved = records[from];
  if (moved === undefined) return null;
  const others = records.toSpliced(from, 1);
  const place = placeOf(others, moved, from, to);
  if (place === null) return null;
  const expected = others.toSpliced(place.index, 0, moved);
  const isMove = isOnlyOne(others, moved) && indexAt(others, moved, place.position) === place.index;
  const request = isMove
    ? { move: moveTo(moved, place.position) }
    : { positions: changedPositions(expected, place) };
  return { expected, request };
}

interface Place {
  readonly index: number;
  readonly position: number;
}

function placeOf(
  others: readonly ConfigRecord[],
  moved: ConfigRecord,
  from: number,
  to: Destination,
): Place | null {
  if (typeof to === 'object' && 'position' in to) {
    const { position } = to;
    return position === moved.order ? null : { index: indexAt(others, moved, position), position };
  }
  const index = indexOf(others, to);
  if (index === null || index === from) return null;
  // The record there moves towards the position that becomes free.
  const position = others[index > from ? index - 1 : index]?.order ?? moved.order;
  return { index, position };
}

function indexOf(others: readonly ConfigRecord[], to: Exclude<Destination, { position: number }>) {
  if (to === 'first') return 0;
  if (to === 'last') return others.length;
  const neighbour = 'before' in to ? to.before : to.after;
  const index = others.findIndex(({ id }) => id === neighbour);
  if (index === -1) return null;
  return 'before' in to ? index : index + 1;
}

/** Returns how many other records the service puts before a record moved to a position. */
function indexAt(others: readonly ConfigRecord[], moved: ConfigRecord, position: number): number {
  const below = others.filter(({ order }) => order < position).length;
  const upTo = others.filter(({ order }) => order <= position).length;
  if (moved.order === position) {
    return below + others.filter(({ order, id }) => order === position && id < moved.id).length;
  }
  const givingWay = moved.order < position ? upTo : below;
  const withRoom = clamp(givingWay, others.length - (POSITION_MAX - position), position);
  return clamp(withRoom, below, upTo);
}

const IDENTIFYING = [...RECORD_TEXTS, 'enabled'] as const;

/** Whether the fields of a record identify it. */
function isOnlyOne(others: readonly ConfigRecord[], moved: ConfigRecord): boolean {
  const same = others.filter(({ plugin }) => plugin === moved.plugin);
  return !same.some((other) => IDENTIFYING.every((field) => other[field] === moved[field]));
}

function moveTo(moved: ConfigRecord, order: number): Move {
  const { plugin, enabled } = moved;
  return { plugin, ...perText((text) => moved[text]), enabled, order };
}

/** Returns the positions that change when the record takes its place and the others make room on both sides. */
function changedPositions(expected: readonly ConfigRecord[], { index, position }: Place): Positions {
  const highest = POSITION_MAX - expected.length + 1;
  const positions = expected.map(({ order }) => order);
  positions[index] = clamp(position, index, highest + index);
  for (let i = index - 1; i >= 0; i--) {
    positions[i] = Math.max(i, Math.min(positions[i] ?? 0, (positions[i + 1] ?? 0) - 1));
  }
  for (let i = index + 1; i < positions.length; i++) {
    positions[i] = Math.min(highest + i, Math.max(positions[i] ?? 0, (positions[i - 1] ?? 0) + 1));
  }
  const changed = expected.flatMap(({ id, order }, i) => {
    const next = positions[i] ?? order;
    return next === order ? [] : [[String(id), next] as const];
  });
  return Object.fromEntries(changed);
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.max(lowest, Math.min(value, highest));
}
