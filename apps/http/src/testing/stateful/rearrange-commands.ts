import fc from 'fast-check';
import { expect } from 'vitest';
import type { WireConfigRecord } from '@plugin-config/contract';
import { addEntry, live, type ModelRecord } from './model.ts';
import { expectList } from './read-commands.ts';
import {
  expectBody,
  expectRecord,
  expectRejected,
  expectStatus,
  familyCommand,
  places,
  type Command,
  type Target,
} from './service.ts';

const conditions = fc.constantFrom('none', 'none', 'current', 'stale');

async function conditionOf(
  target: Target,
  condition: 'none' | 'current' | 'stale',
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly holds: boolean }> {
  if (condition === 'none') return { headers: {}, holds: true };
  if (condition === 'current') return { headers: { 'if-match': await expectList(target) }, holds: true };
  const { tags, version } = target.family;
  const stale = tags.find((one) => one.version < version)?.tag ?? '"x"';
  return { headers: { 'if-match': stale }, holds: false };
}

const selectors = fc.record(
  {
    plugin: fc.integer({ min: 1, max: 3 }),
    enabled: fc.boolean(),
    name: fc.constantFrom(null, '', 'a'),
    deleted: fc.boolean(),
  },
  { requiredKeys: ['plugin'] },
);

const move = familyCommand(
  'move',
  fc.record({ place: places, selectors, order: fc.nat(8), condition: conditions }),
  async (target, { selectors: fields, order, condition }) => {
    const { headers, holds } = await conditionOf(target, condition);
    const response = await target.call('PATCH', `${target.path}/rearrange`, {
      body: { ...fields, order },
      headers,
    });
    if (!holds) return expectRejected(response, [412, 'precondition_failed', null]);
    const attached = live(target.family).filter((record) => record.fields.plugin === fields.plugin);
    const fitting = attached.length > 1 ? attached.filter((record) => fits(record, fields)) : attached;
    const [record, second] = fields.deleted === true ? [] : fitting;
    if (record === undefined) return expectRejected(response, [404, 'not_found', null]);
    if (second !== undefined) return expectRejected(response, [400, 'invalid_input', 'plugin']);
    expectStatus(response, 200);
    await expectMoved(target, record, order);
    expectRecord({ ...target, record }, response);
  },
);

function fits(
  { fields }: ModelRecord,
  { enabled, name }: { readonly enabled?: boolean; readonly name?: string | null },
): boolean {
  return (
    (enabled === undefined || fields.enabled === enabled) && (name === undefined || fields.name === name)
  );
}

/** Checks the guarantees of a move, and copies the new positions to the model. */
async function expectMoved(target: Target, record: ModelRecord, order: number): Promise<void> {
  const others = live(target.family).filter((one) => one !== record);
  const { body } = await target.call<{ readonly results: readonly WireConfigRecord[] }>('GET', target.path);
  const orders = new Map(body.results.map((one) => [one.id, one.order]));
  const there = [...orders].filter(([, each]) => each === order).map(([id]) => id);
  expect(there).toEqual([record.id]);
  const otherIds = others.map(({ id }) => id);
  expect(body.results.map(({ id }) => id).filter((id) => id !== record.id)).toEqual(otherIds);
  setPositions(target, orders);
}

function setPositions({ family, requestId }: Target, orders: ReadonlyMap<number, number>): void {
  for (const record of live(family)) {
    const before = record.fields.order;
    const after = orders.get(record.id) ?? before;
    if (after === before) continue;
    record.fields = { ...record.fields, order: after };
    const changes = [{ field: 'order', before, after }];
    addEntry(family, record, { activity: 'rearranged', changes, requestId });
  }
}

const setOrders = familyCommand(
  'set orders',
  fc.record({
    place: places,
    orders: fc.array(fc.tuple(fc.nat(20), fc.nat(8)), { maxLength: 4 }),
    stranger: fc.option(places, { freq: 10 }),
    condition: conditions,
  }),
  async (target, { orders: requested, stranger, condition }) => {
    const { headers, holds } = await conditionOf(target, condition);
    const records = target.family.records;
    const orders = new Map(
      requested.flatMap(([n, order]) => {
        const id = records[n % records.length]?.id;
        return id === undefined ? [] : [[id, order] as const];
      }),
    );
    const foreign =
      stranger === null ? undefined : target.model.projects[stranger.project]?.[stranger.family].records[0];
    if (foreign !== undefined) orders.set(foreign.id, 1);
    const response = await target.call<readonly WireConfigRecord[]>('PATCH', `${target.path}/rearrange`, {
      body: { orders: Object.fromEntries(orders) },
      headers,
    });
    if (!holds) return expectRejected(response, [412, 'precondition_failed', null]);
    const liveIds = new Set(live(target.family).map(({ id }) => id));
    if ([...orders.keys()].some((id) => !liveIds.has(id)))
      return expectRejected(response, [400, 'does_not_exist', 'orders']);
    expectStatus(response, 200);
    setPositions(target, orders);
    const arranged = live(target.family);
    expect(response.body.map(({ id }) => id)).toEqual(arranged.map(({ id }) => id));
    for (const [n, record] of arranged.entries()) {
      const body = response.body[n];
      if (body !== undefined) expectBody({ ...target, record }, body);
    }
  },
);

export const REARRANGE_COMMANDS: readonly fc.Arbitrary<Command>[] = [move, setOrders];
