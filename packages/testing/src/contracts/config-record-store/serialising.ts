import {
  moveTo,
  rearrangeRecord,
  type ActivityEntry,
  type Author,
  type ConfigRecord,
  type FamilyRef,
  type RecordPosition,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../../builders/a-family.ts';
import { aRecord, aRecordDraft, mustStore } from '../../builders/a-record.ts';
import { anAuthor } from '../../builders/an-author.ts';
import type { Ports } from '../../ports.ts';
import type { TestWith } from '../../test-with.ts';
import { historyOf, liveRecords } from '../read-state.ts';

interface WrittenEntry {
  readonly recordId: number;
  readonly entry: ActivityEntry;
}

export function serialisingContract(test: TestWith<Ports>): void {
  test('concurrent moves and creations have the same result as a replay of their history', async (ports) => {
    const family = await aFamily(ports);
    const records: ConfigRecord[] = [];
    for (let plugin = 1; plugin <= 6; plugin++) records.push(await aRecord(ports, family, { plugin }));
    await Promise.all(
      [...records, ...records].flatMap((record, i) => [
        create(ports, family, anAuthor({ requestId: `create ${i}` })),
        rearrange(ports, record, (i * 3) % 7),
      ]),
    );
    const live = await liveRecords(ports, family);
    const model = replay(await stepsOf(ports, live));
    expect(live.map(({ id, order }) => [id, order])).toEqual(live.map(({ id }) => [id, model.get(id)]));
  });
}

function create({ records }: Ports, family: FamilyRef, author: Author): Promise<ConfigRecord> {
  const options = { author, requireRegistered: false };
  return mustStore(records.create(family, aRecordDraft({ plugin: 99 }), options));
}

/** Moves the record. The request id identifies the move, to match the activity entries with it. */
function rearrange({ records }: Ports, record: ConfigRecord, order: number): Promise<ConfigRecord> {
  const { id, plugin } = record;
  const author = anAuthor({ requestId: `move ${id} to ${order}` });
  return rearrangeRecord(
    { records },
    { family: record, precondition: null, author, order, wanted: { plugin } },
  );
}

/** Reads the entries of all records in the order they were written, and groups the entries of each move. */
async function stepsOf(
  ports: Ports,
  live: readonly ConfigRecord[],
): Promise<readonly (readonly WrittenEntry[])[]> {
  const entries: WrittenEntry[] = [];
  for (const record of live) {
    for (const entry of await historyOf(ports, record)) entries.push({ recordId: record.id, entry });
  }
  const steps: WrittenEntry[][] = [];
  for (const next of entries.toSorted((a, b) => a.entry.id - b.entry.id)) {
    const step = steps.at(-1);
    const isOneMove =
      next.entry.activity === 'rearranged' && step?.[0]?.entry.requestId === next.entry.requestId;
    if (isOneMove) step.push(next);
    else steps.push([next]);
  }
  return steps;
}

/** Replays the history step by step, and checks each step against the rules. */
function replay(steps: readonly (readonly WrittenEntry[])[]): ReadonlyMap<number, number> {
  const model = new Map<number, number>();
  for (const step of steps) {
    const positions = step.map(({ recordId: id, entry }): RecordPosition => ({
      id,
      order: orderStep(entry)?.after ?? -1,
    }));
    expect(positions.toSorted(byId)).toEqual(expectedOf(step[0]?.entry, model, positions).toSorted(byId));
    for (const { id, order } of positions) model.set(id, order);
  }
  return model;
}

function expectedOf(
  entry: ActivityEntry | undefined,
  model: ReadonlyMap<number, number>,
  positions: readonly RecordPosition[],
): readonly RecordPosition[] {
  const requested = /^move (\d+) to (\d+)$/.exec(entry?.requestId ?? '');
  if (requested === null) {
    const order = 1 + Math.max(0, ...model.values());
    return positions.map(({ id }) => ({ id, order }));
  }
  const live = [...model].map(([id, order]): RecordPosition => ({ id, order }));
  return moveTo(live, Number(requested[1]), Number(requested[2]));
}

function byId(a: RecordPosition, b: RecordPosition): number {
  return a.id - b.id;
}

function orderStep({ changes }: ActivityEntry): { readonly before: unknown; readonly after: number } | null {
  const step = changes.find(({ field }) => field === 'order');
  return step === undefined ? null : { before: step.before, after: Number(step.after) };
}
