import { describe, expect, test } from 'vitest';
import { moveTo, type RecordPosition } from './ordering.ts';
import { after, recordsAt } from './positions.fixture.ts';
import { INTEGER_MAX } from '../vocabulary/vocabulary.ts';

describe('a move among few records', () => {
  for (let size = 1; size <= 5; size++) {
    test(`moves the other ${size - 1} as little as possible, in every case`, () => {
      for (const orders of multisets(size, 8)) {
        for (let id = 0; id < size; id++) {
          for (let to = 0; to <= 8; to++) expectLeastMovement(recordsAt(orders), id, to);
        }
      }
    });
  }

  test('moves them as little as possible at the upper bound, too', () => {
    for (const orders of multisets(4, INTEGER_MAX, INTEGER_MAX - 5)) {
      for (let id = 0; id < 4; id++) {
        for (let to = INTEGER_MAX - 5; to <= INTEGER_MAX; to++)
          expectLeastMovement(recordsAt(orders), id, to);
      }
    }
  });
});

/** All non-decreasing lists of this many positions. */
function* multisets(size: number, highest: number, lowest = 0): Generator<readonly number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let first = lowest; first <= highest; first++) {
    for (const rest of multisets(size - 1, highest, first)) yield [first, ...rest];
  }
}

/** Compares the movement with the minimum over all arrangements with the same records before the moved one. */
function expectLeastMovement(live: readonly RecordPosition[], id: number, to: number): void {
  const settled = after(live, moveTo(live, id, to));
  const target = settled[id]?.order ?? 0;
  const others = live.filter((record) => record.id !== id).map(({ order }) => order);
  const before = settled.filter(({ order }) => order < target).length;
  const bounds = { lowest: Math.max(0, to - 14), highest: Math.min(to + 14, INTEGER_MAX) };
  const least =
    leastMovement(others.slice(0, before), bounds.lowest, target - 1) +
    leastMovement(others.slice(before), target + 1, bounds.highest);
  const distances = settled.map(({ order }, i) => (i === id ? 0 : Math.abs(order - (live[i]?.order ?? 0))));
  const moved = distances.reduce((sum, distance) => sum + distance, 0);
  expect({ live, id, to, moved }).toEqual({ live, id, to, moved: least });
}

/** Tries every increasing sequence of positions within the bounds. */
function leastMovement([first, ...rest]: readonly number[], lowest: number, highest: number): number {
  if (first === undefined) return 0;
  let least = Infinity;
  for (let position = lowest; position + rest.length <= highest; position++) {
    least = Math.min(least, Math.abs(position - first) + leastMovement(rest, position + 1, highest));
  }
  return least;
}
