import type { WireConfigRecordPage } from '@plugin-config/contract';
import { moveTo, nextOrder } from '@plugin-config/domain';
import { expect } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../../tools/property-runs.ts';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const SEED = 20_260_314;
const CLIENTS = 16;
const TURNS = propertyRuns(250);
const TURNS_PER_RECORD = 100;
const ORDER_MAX = 30;
const PATH = '/plugin_configs';

interface Fields {
  readonly order: number;
  readonly deleted: boolean;
  readonly [field: string]: unknown;
}

interface Entry extends Wire<'activityEntry'> {
  readonly record: number;
}

/** The requested positions, by request id. */
type RequestedMoves = Map<string, { readonly plugin: number; readonly order: number }>;

test(
  'concurrent writes have the same result as some sequence of them',
  { timeout: propertyTimeout(180_000) },
  async ({ call }) => {
    const write = retryBusy(call);
    const moves: RequestedMoves = new Map();
    const created: { readonly id: number; readonly plugin: number }[] = [];
    const random = lcg(SEED);
    const pick = (below: number): number => Math.floor(random() * below);
    let turn = 0;
    const work = async (): Promise<void> => {
      while (turn < TURNS) {
        const id = `work-${turn++}`;
        const headers = { 'x-request-id': id };
        const kind = created.length < 4 ? 0 : pick(10);
        if (kind < 2 && created.length < 4 + turn / TURNS_PER_RECORD) await create(headers);
        else if (kind < 6) await rearrange(id, headers);
        else if (kind < 7) await setOrders(headers);
        else await update(headers);
      }
    };
    const create = async (headers: Record<string, string>): Promise<void> => {
      const plugin = 1000 + turn;
      const { status, body } = await write('POST', PATH, { body: { plugin }, headers });
      expect(status).toBe(201);
      created.push({ id: body.id, plugin });
    };
    const rearrange = async (id: string, headers: Record<string, string>): Promise<void> => {
      const body = { plugin: created[pick(created.length)]?.plugin ?? 0, order: pick(ORDER_MAX) };
      moves.set(id, body);
      expect([200, 404]).toContain((await write('PATCH', `${PATH}/rearrange`, { body, headers })).status);
    };
    const setOrders = async (headers: Record<string, string>): Promise<void> => {
      const ids = [created[pick(created.length)]?.id, created[pick(created.length)]?.id];
      const orders = Object.fromEntries(ids.map((id) => [id, pick(ORDER_MAX)]));
      expect([200, 400]).toContain(
        (await write('PATCH', `${PATH}/rearrange`, { body: { orders }, headers })).status,
      );
    };
    const update = async (headers: Record<string, string>): Promise<void> => {
      const changes = [
        { order: pick(ORDER_MAX) },
        { name: `name ${turn}` },
        { enabled: pick(2) === 0 },
        { deleted: pick(2) === 0 },
      ];
      const { status } = await write('PATCH', `${PATH}/${created[pick(created.length)]?.id}`, {
        body: changes[pick(4)],
        headers,
      });
      expect([200, 400]).toContain(status);
    };
    await Promise.all(Array.from({ length: CLIENTS }, work));
    const live = replay(
      await history(
        call,
        created.map(({ id }) => id),
      ),
      moves,
    );
    const { results } = (await call<WireConfigRecordPage>('GET', `${PATH}?limit=1000`)).body;
    expect(results.map(({ id, order, enabled, name }) => ({ id, order, enabled, name }))).toEqual(live);
  },
);

/** Repeats a write that was rejected as busy, which has stored nothing. */
const retryBusy =
  (call: Call): Call =>
  async (method, path, request) => {
    for (;;) {
      const response = await call<never>(method, path, request);
      if (response.status !== 503) return response;
    }
  };

/** Returns the activity of all records in order. */
async function history(call: Call, ids: readonly number[]): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const record of ids) {
    let offset = 0;
    for (let next: string | null = ''; next !== null; offset += 1000) {
      const { body } = await call<Wire<'activityView'>>(
        'GET',
        `${PATH}/${record}/activity?limit=1000&offset=${offset}`,
      );
      entries.push(...body.results.map((entry) => ({ ...entry, record })));
      ({ next } = body);
    }
  }
  return entries.toSorted((a, b) => a.id - b.id);
}

/** Replays the changes in sequence, by the rules of the domain. */
function replay(entries: readonly Entry[], moves: RequestedMoves): readonly unknown[] {
  const records = new Map<number, Fields>();
  const live = () =>
    [...records].filter(([, { deleted }]) => !deleted).map(([id, { order }]) => ({ id, order }));
  for (const [request, group] of Map.groupBy(entries, (entry) => entry.request_id ?? '')) {
    const move = moves.get(request);
    if (group[0]?.activity === 'created') {
      const highest = Math.max(0, ...live().map(({ order }) => order));
      expect(after(group[0], 'order')).toBe(nextOrder(highest));
    }
    if (move !== undefined) {
      const moved = [...records].find(([, { plugin }]) => plugin === move.plugin)?.[0] ?? 0;
      const positions = moveTo(live(), moved, move.order).map(({ id, order }) => [id, order]);
      const changes = group.map((entry) => [entry.record, after(entry, 'order')]);
      expect([request, ...changes.toSorted(byId)]).toEqual([request, ...positions.toSorted(byId)]);
    }
    for (const entry of group) apply(records, entry);
  }
  return [...records]
    .filter(([, { deleted }]) => !deleted)
    .toSorted(([a, { order: first }], [b, { order: second }]) => first - second || a - b)
    .map(([id, { order, enabled = false, name = null }]) => ({ id, order, enabled, name }));
}

function apply(records: Map<number, Fields>, { record, changes, activity }: Entry): void {
  const before = records.get(record);
  expect(before === undefined).toBe(activity === 'created');
  for (const change of before === undefined ? [] : changes) {
    expect(change.before).toEqual(before?.[change.field] ?? null);
  }
  const fields = Object.fromEntries(changes.map(({ field, after: value }) => [field, value]));
  records.set(record, { order: 0, deleted: false, ...before, ...fields });
}

const after = ({ changes }: Entry, name: string): unknown =>
  changes.find(({ field }) => field === name)?.after;
const byId = (a: readonly unknown[], b: readonly unknown[]): number => Number(a[0]) - Number(b[0]);

/** A linear congruential generator: returns the same numbers for the same seed. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
