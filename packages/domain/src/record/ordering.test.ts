import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byPosition, moveTo, type RecordPosition } from './ordering.ts';
import { INTEGER_MAX } from '../vocabulary/vocabulary.ts';

/** Few positions and many records, at both bounds and in between: ties, gaps and no room. */
const world = fc
  .constantFrom(0, INTEGER_MAX - 8, 1000, 500_000_000)
  .chain((base) =>
    fc.tuple(
      fc.array(fc.integer({ min: base, max: base + 8 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: base, max: base + 8 }),
    ),
  )
  .chain(([orders, order]) =>
    fc.record({
      live: fc.shuffledSubarray(
        orders.map((at, i) => ({ id: 100 - i, order: at })),
        { minLength: orders.length },
      ),
      id: fc.integer({ min: 101 - orders.length, max: 100 }),
      order: fc.constant(order),
    }),
  );

describe('a move, by example', () => {
  test.each<[what: string, orders: readonly number[], id: number, to: number, after: readonly number[]]>([
    ['the first of three to the second position', [1, 2, 3], 0, 2, [2, 1, 3]],
    ['the third of three to the first position', [1, 2, 3], 2, 1, [2, 3, 1]],
    ['the first to the last position', [1, 2, 3], 0, 3, [3, 1, 2]],
    ['to its own position', [1, 2, 3], 1, 2, [1, 2, 3]],
    ['to a free position', [1, 5, 9], 0, 7, [7, 5, 9]],
    ['past the end', [1, 2, 3], 1, 50, [1, 50, 3]],
    ['to the front, below all others', [4, 5, 6], 2, 0, [4, 5, 0]],
    ['onto a single record, from below', [1, 5], 0, 5, [5, 4]],
    ['onto a single record, from above', [5, 9], 1, 5, [6, 5]],
    ['into a run, which shifts down to the first gap', [1, 3, 4, 5, 6], 0, 5, [5, 2, 3, 4, 6]],
    ['into a run, which shifts up to the first gap', [3, 4, 5, 7, 9], 4, 4, [3, 5, 6, 7, 4]],
    ['within ties at its own position', [2, 2, 2], 1, 2, [1, 2, 3]],
    ['past ties, which stay', [0, 0, 0, 9], 3, 1, [0, 0, 0, 1]],
    ['to the start, before all records there', [0, 0, 9], 2, 0, [1, 2, 0]],
    ['onto the start from below, where nothing can shift down', [0, 0], 0, 0, [0, 1]],
    [
      'onto ties, which are separated, but not those further away',
      [1, 1, 3, 4, 4, 9],
      5,
      4,
      [1, 1, 3, 5, 6, 4],
    ],
    ['onto ties, which are separated as far as they are in the way', [1, 3, 3, 5, 5], 0, 5, [5, 1, 2, 3, 4]],
    [
      'to the end, after all records there',
      [5, INTEGER_MAX, INTEGER_MAX],
      0,
      INTEGER_MAX,
      [INTEGER_MAX, INTEGER_MAX - 2, INTEGER_MAX - 1],
    ],
  ])('%s', (_, orders, id, to, expected) => {
    const live = recordsAt(orders);
    expect(after(live, moveTo(live, id, to)).map(({ order }) => order)).toEqual(expected);
  });

  test('of a missing record is a no-op', () => {
    expect(moveTo([{ id: 1, order: 1 }], 2, 5)).toEqual([]);
  });
});

describe('a move, for any positions', () => {
  test('puts the record at exactly the requested position, and no other', () => {
    check(({ id, order, settled }) => {
      expect(settled.filter((record) => record.order === order)).toEqual([{ id, order }]);
    });
  });

  test('keeps all records within the bounds', () => {
    check(({ settled }) => {
      for (const { order } of settled) {
        expect(Number.isInteger(order) && order >= 0 && order <= INTEGER_MAX).toBe(true);
      }
    });
  });

  test('separates ties, and creates none', () => {
    check(({ live, settled }) => {
      const old = new Map(live.map((record) => [record.id, record.order]));
      for (const tied of Map.groupBy(settled, ({ order }) => order).values()) {
        expect(new Set(tied.map(({ id }) => old.get(id))).size).toBe(1);
      }
    });
  });

  test('keeps the relative order of the others', () => {
    check(({ live, id, settled }) => {
      const sequence = (records: readonly RecordPosition[]) =>
        records.toSorted(byPosition).flatMap((record) => (record.id === id ? [] : [record.id]));
      expect(sequence(settled)).toEqual(sequence(live));
    });
  });

  test('shifts records at the requested position towards the position that became free', () => {
    check(({ live, id, order, settled }) => {
      const position = new Map(settled.map((record) => [record.id, record.order]));
      const others = live.filter((record) => record.id !== id);
      const standing = others.filter((other) => other.order === order);
      const sideOf = (other: RecordPosition) =>
        Math.sign((position.get(other.id) ?? 0) - (position.get(id) ?? 0));
      const roomBelow = order - others.filter((other) => other.order < order).length;
      const roomAbove = INTEGER_MAX - order - others.filter((other) => other.order > order).length;
      const from = live.find((record) => record.id === id)?.order ?? order;
      const free = Math.sign(from - order);
      const hasRoom = (free < 0 ? roomBelow : roomAbove) >= standing.length;
      fc.pre(free !== 0 && hasRoom);
      expect(standing.map(sideOf)).toEqual(standing.map(() => free));
    });
  });

  test('returns only the changed positions', () => {
    check(({ live, changes }) => {
      const old = new Map(live.map((record) => [record.id, record.order]));
      for (const { id, order } of changes) {
        expect(old.has(id)).toBe(true);
        expect(order).not.toBe(old.get(id));
      }
    });
  });

  test('does not depend on the order of the input', () => {
    check(({ live, id, order, settled }) => {
      expect(after(live, moveTo(live.toReversed(), id, order))).toEqual(settled);
    });
  });

  test('is a no-op when repeated', () => {
    check(({ id, settled }) => {
      const position = settled.find((record) => record.id === id)?.order ?? 0;
      expect(moveTo(settled, id, position)).toEqual([]);
    });
  });

  test('without ties, shifts only the records from the requested position to the first gap', () => {
    const distinct = fc.uniqueArray(fc.integer({ min: 0, max: 14 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(distinct, fc.nat(), fc.integer({ min: 0, max: 14 }), (orders, pick, order) => {
        const live = recordsAt(orders);
        const id = pick % live.length;
        const from = orders[id] ?? 0;
        const step = from < order ? -1 : 1;
        const taken = new Set(orders.filter((at) => at !== from));
        const run: number[] = [];
        for (let at = order; at !== from && taken.has(at); at += step) run.push(at);
        const expected = live.map((record) => {
          if (record.id === id) return order;
          return run.includes(record.order) ? record.order + step : record.order;
        });
        expect(after(live, moveTo(live, id, order)).map((record) => record.order)).toEqual(expected);
      }),
    );
  });
});

test('ten thousand records at one position are spread quickly, to both sides', { timeout: 20_000 }, () => {
  const live = Array.from({ length: 10_000 }, (_, id) => ({ id, order: 1_000_000 }));
  const settled = after(live, moveTo(live, 5000, 1_000_000));
  expect(settled.map(({ order }) => order)).toEqual(live.map(({ id }) => 1_000_000 - 5000 + id));
});

test('ten thousand records at the maximum position move down', () => {
  const live = Array.from({ length: 10_000 }, (_, id) => ({ id, order: INTEGER_MAX }));
  expect(after(live, moveTo(live, 9999, INTEGER_MAX)).map(({ order }) => order)).toEqual(
    live.map(({ id }) => INTEGER_MAX - 9999 + id),
  );
});

interface Case {
  readonly live: readonly RecordPosition[];
  readonly id: number;
  readonly order: number;
  readonly changes: readonly RecordPosition[];
  /** All records after the move, in their original order. */
  readonly settled: readonly RecordPosition[];
}

function check(holds: (move: Case) => void): void {
  fc.assert(
    fc.property(world, ({ live, id, order }) => {
      const changes = moveTo(live, id, order);
      holds({ live, id, order, changes, settled: after(live, changes) });
    }),
    { numRuns: 500 },
  );
}

/** Returns records at these positions, with ids from 0. */
function recordsAt(orders: readonly number[]): readonly RecordPosition[] {
  return orders.map((order, id) => ({ id, order }));
}

/** Returns the records after the changes, in their original sequence. */
function after(
  live: readonly RecordPosition[],
  changes: readonly RecordPosition[],
): readonly RecordPosition[] {
  const orders = new Map(changes.map(({ id, order }) => [id, order]));
  return live.map(({ id, order }) => ({ id, order: orders.get(id) ?? order }));
}
