import type { ConfigRecord } from '@plugin-config/client';
import { byPosition, moveTo } from '@plugin-config/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planMove, POSITION_MAX, type Destination, type MoveRequest } from './plan-move.ts';

/** Families with ties, gaps and no room, at either bound, and records that differ only in their ids. */
const family = fc.constantFrom(0, 1000, POSITION_MAX - 8).chain((base) =>
  fc.array(
    fc.record({
      order: fc.integer({ min: base, max: base + 8 }),
      plugin: fc.integer({ min: 1, max: 6 }),
      name: fc.constantFrom(null, 'a'),
      enabled: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  ),
);
const world = family.chain((fields) => {
  const records = fields
    .map((one, i) => ({ ...one, id: 100 - i, description: null }) as unknown as ConfigRecord)
    .toSorted(byPosition);
  const id = fc.constantFrom(...records.map((record) => record.id));
  const base = records[0]?.order ?? 0;
  return fc.record({
    records: fc.constant(records),
    id,
    to: fc.oneof(
      fc.constantFrom<Destination>('first', 'last'),
      fc.record({ before: id }),
      fc.record({ after: id }),
      fc.record({ position: fc.integer({ min: base, max: Math.min(base + 10, POSITION_MAX) }) }),
    ),
  });
});

test('the service moves records into the expected order, and no other to the same position', () => {
  fc.assert(
    fc.property(world, ({ records, id, to }) => {
      const planned = planMove(records, id, to);
      if (planned === null) return;
      const after = ordersAfter(records, id, planned.request);
      expect(idsOf(after)).toEqual(idsOf(planned.expected));
      const moved = after.find((record) => record.id === id);
      expect(after.filter(({ order }) => order === moved?.order)).toEqual([moved]);
      expect(after.every(({ order }) => order >= 0 && order <= POSITION_MAX)).toBe(true);
    }),
  );
});

test('the other records keep their order, and the record is at its destination', () => {
  fc.assert(
    fc.property(world, ({ records, id, to }) => {
      const ids = idsOf(planMove(records, id, to)?.expected ?? records);
      expect(ids.filter((one) => one !== id)).toEqual(idsOf(records).filter((one) => one !== id));
      expect(isAt(ids, id, to)).toBe(true);
    }),
  );
});

test('a record gets exactly the requested position wherever there is room', () => {
  fc.assert(
    fc.property(world, fc.nat(POSITION_MAX), ({ records, id }, far) => {
      const position = clampWithRoom(far, records.length);
      const planned = planMove(records, id, { position });
      if (planned === null) return;
      const moved = ordersAfter(records, id, planned.request).find((record) => record.id === id);
      expect(moved?.order).toBe(position);
    }),
  );
});

test('a record with unique fields is moved by one short request', () => {
  const records = Array.from({ length: 1000 }, (_, i) => recordAt(i + 1));
  expect(planMove(records, 900, { position: 3 })?.request).toEqual({
    move: { plugin: 900, name: null, description: null, enabled: false, order: 3 },
  });
});

test('for records that look alike, the positions between the old and new place are shifted', () => {
  const records = [1, 2, 3, 4].map((id) => ({ ...recordAt(id), plugin: 7 }));
  expect(planMove(records, 1, { after: 3 })?.request).toEqual({ positions: { 1: 3, 2: 1, 3: 2 } });
});

test('a record that is already there, or gone, is not moved', () => {
  const records = [1, 2, 3].map(recordAt);
  for (const [id, to] of [
    [1, 'first'],
    [3, 'last'],
    [2, { after: 1 }],
    [2, { before: 3 }],
    [2, { position: 2 }],
    [2, { before: 9 }],
    [9, 'first'],
  ] as const) {
    expect(planMove(records, id, to)).toBeNull();
  }
});

/** Applies a request as the service does. */
function ordersAfter(records: readonly ConfigRecord[], id: number, request: MoveRequest) {
  const changes = 'move' in request ? movedBy(records, id, request.move.order) : request.positions;
  return records
    .map((record) => ({ id: record.id, order: changes[record.id] ?? record.order }))
    .toSorted(byPosition);
}

function movedBy(records: readonly ConfigRecord[], id: number, order: number): Record<string, number> {
  return Object.fromEntries(moveTo(records, id, order).map((one) => [one.id, one.order]));
}

/** Whether a record is at its destination. Another test covers positions. */
function isAt(ids: readonly number[], id: number, to: Destination): boolean {
  if (to === 'first') return ids[0] === id;
  if (to === 'last') return ids.at(-1) === id;
  if ('before' in to) return to.before === id || ids[ids.indexOf(id) + 1] === to.before;
  return !('after' in to) || to.after === id || ids[ids.indexOf(id) - 1] === to.after;
}

function recordAt(id: number): ConfigRecord {
  const fields = { id, plugin: id, order: id, name: null, description: null, enabled: false };
  return fields as ConfigRecord;
}

function idsOf(records: readonly { readonly id: number }[]): readonly number[] {
  return records.map(({ id }) => id);
}

/** Returns a position with room for all others on both sides. */
function clampWithRoom(position: number, records: number): number {
  return Math.max(records, Math.min(position, POSITION_MAX - records));
}
