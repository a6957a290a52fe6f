import {
  ALL_RECORDS,
  conceal,
  type ConfigField,
  type ConfigRecord,
  type FamilyRef,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { anAuthor } from '../builders/an-author.ts';
import { memorySecretBox } from '../builders/memory-secret-box.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { changesOf } from './changes-of.ts';

type Work = (ports: Ports, record: ConfigRecord) => Promise<unknown>;

const SEED = { config: '{}', secrets: new Map<string, string>() };
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
const START = { revision: 0, id: ALL_RECORDS };

/** Each changes the answer of the first record, and of no other. */
const CHANGES: Readonly<Record<string, Work>> = {
  'saving a change': ({ records }, record) => records.save(aRecordWrite(record, { name: 'New' })),
  'deleting it': ({ records }, record) =>
    records.save(aRecordWrite(record, { deleted: true, enabled: false })),
  'registering its plugin': ({ plugins }, { plugin: id }) =>
    plugins.register(aPlugin({ id }), SEED, anAuthor()),
  'sealing its secrets': async ({ plugins }, { plugin: id }) => {
    const plugin = aPlugin({ id, configSchema: [TOKEN] });
    await plugins.register(plugin, SEED, anAuthor());
    while (
      (await plugins.sealNext(plugin, (stored) => conceal(stored, [TOKEN], memorySecretBox()))) !== null
    );
  },
  'removing its plugin': async ({ plugins }, { plugin: id }) => {
    await plugins.register(aPlugin({ id }), SEED, anAuthor());
    await plugins.remove(id, anAuthor());
  },
};

const NO_CHANGES: Readonly<Record<string, Work>> = {
  'queueing a job': ({ jobs }, record) => jobs.queue(aJob(record), null),
  'a change of an outdated version': ({ records }, record) =>
    records.save(aRecordWrite({ ...record, version: 99 }, { name: 'New' })),
  'registering another plugin': ({ plugins }) => plugins.register(aPlugin({ id: 4711 }), SEED, anAuthor()),
};

export function familyChangesContract(test: TestWith<Ports>): void {
  for (const [name, work] of Object.entries(CHANGES)) {
    test(`${name} changes the answer of the record, and no other`, async (ports) => {
      const family = await aFamily(ports);
      const record = await aRecord(ports, family, { plugin: 1 });
      await aRecord(ports, family, { plugin: 2 });
      const { ids, isReordered } = await changesOf(ports, family, () => work(ports, record));
      expect([ids, isReordered]).toEqual([[record.id], false]);
    });
  }

  for (const [name, work] of Object.entries(NO_CHANGES)) {
    test(`${name} changes no answer`, async (ports) => {
      const family = await aFamily(ports);
      const record = await aRecord(ports, family, { plugin: 1 });
      const { ids, isReordered } = await changesOf(ports, family, () => work(ports, record));
      expect([ids, isReordered]).toEqual([[], false]);
    });
  }

  test('a new record is listed, also if it is deleted', async (ports) => {
    const family = await aFamily(ports);
    const created: number[] = [];
    const { ids } = await changesOf(ports, family, async () => {
      created.push((await aRecord(ports, family)).id, (await aRecord(ports, family, { deleted: true })).id);
    });
    expect(ids).toEqual(created);
  });

  test('a rearrange is listed with the records that it moves', async (ports) => {
    const family = await aFamily(ports);
    const [one, two] = [await aRecord(ports, family), await aRecord(ports, family)];
    await aRecord(ports, family);
    const moves = [
      { id: two.id, order: 1 },
      { id: one.id, order: 2 },
    ];
    const moved = await changesOf(ports, family, () =>
      ports.records.lock(family, ({ move }) => move(moves, anAuthor())),
    );
    expect(moved).toEqual({ ids: [one.id, two.id], isReordered: true });
  });

  test('a record that changes several times is listed once, at its last change', async (ports) => {
    const family = await aFamily(ports);
    const [one, two] = [await aRecord(ports, family), await aRecord(ports, family)];
    const { ids } = await changesOf(ports, family, async () => {
      const changed = await ports.records.save(aRecordWrite(one, { name: 'a' }));
      await ports.records.save(aRecordWrite(two, { name: 'a' }));
      if (changed !== null) await ports.records.save(aRecordWrite(changed, { name: 'b' }));
    });
    expect(ids).toEqual([two.id, one.id]);
  });

  test('changes are read in portions, also those of one revision', async (ports) => {
    const family = await aFamily(ports);
    const records = [
      await aRecord(ports, family),
      await aRecord(ports, family),
      await aRecord(ports, family),
    ];
    const moves = records.map(({ id }, i) => ({ id, order: 10 - i }));
    await ports.records.lock(family, ({ move }) => move(moves, anAuthor()));
    const later = await aRecord(ports, family);
    const expected = [...records, later].map(({ id }) => id);
    expect(await inPortions(ports, family, 1)).toEqual(expected);
    expect(await inPortions(ports, family, 2)).toEqual(expected);
    expect(await listedInPortions(ports, family, 1)).toEqual(expected);
    expect(await listedInPortions(ports, family, 3)).toEqual(expected);
  });

  test('changes of other families and projects are not listed', async (ports) => {
    const family = await aFamily(ports);
    const others = [{ ...family, family: 'pipeline_transformation_configs' } as const, await aFamily(ports)];
    const { ids } = await changesOf(ports, family, async () => {
      for (const other of others) await aRecord(ports, other);
    });
    expect(ids).toEqual([]);
  });

  test('a missing family has revision 0 and no changes', async (ports) => {
    const family = await aFamily(ports);
    const missing = { ...family, projectId: 4711 };
    const { lineage, revisions } = await ports.changes.revisions([family, missing]);
    const [own, none] = revisions;
    expect([own, none]).toEqual([expect.any(Number), 0]);
    expect(own).toBeGreaterThan(0);
    expect(await ports.changes.revisions([])).toEqual({ lineage, revisions: [] });
    expect(await ports.changes.after(missing, START, 10)).toEqual({
      lineage,
      revision: 0,
      orderRevision: 0,
      records: [],
      isComplete: true,
    });
  });

  test('a list of changes is filtered by the current values of the records', async (ports) => {
    const family = await aFamily(ports);
    const live = await aRecord(ports, family, { plugin: 1, enabled: true, name: 'needle' });
    const gone = await aRecord(ports, family, { plugin: 1, deleted: true });
    const other = await aRecord(ports, family, { plugin: 2 });
    const any = { deleted: null, enabled: null, plugin: null, search: null };
    const listed = async (filter: Partial<Parameters<typeof ports.records.listChanged>[2]>) =>
      (
        await ports.records.listChanged(family, START, { ...any, ...filter }, { limit: 10, offset: 0 })
      ).value.items.map(({ id }) => id);
    expect(await listed({})).toEqual([live.id, gone.id, other.id]);
    expect(await listed({ deleted: false })).toEqual([live.id, other.id]);
    expect(await listed({ deleted: true })).toEqual([gone.id]);
    expect(await listed({ plugin: 1 })).toEqual([live.id, gone.id]);
    expect(await listed({ enabled: true, plugin: 1, search: 'NEEDLE' })).toEqual([live.id]);
  });
}

async function inPortions({ changes }: Ports, family: FamilyRef, limit: number): Promise<readonly number[]> {
  const listed: number[] = [];
  let cursor = START;
  for (;;) {
    const { records, isComplete } = await changes.after(family, cursor, limit);
    listed.push(...records.map(({ id }) => id));
    if (isComplete) return listed;
    const last = records.at(-1);
    if (last === undefined) throw new Error('A portion that is not the last has no records.');
    cursor = { revision: last.revision, id: last.id };
  }
}

async function listedInPortions(
  { records }: Ports,
  family: FamilyRef,
  limit: number,
): Promise<readonly number[]> {
  const any = { deleted: null, enabled: null, plugin: null, search: null };
  const listed: number[] = [];
  let cursor = START;
  for (;;) {
    const { value } = await records.listChanged(family, cursor, any, { limit, offset: 0 });
    listed.push(...value.items.map(({ id }) => id));
    cursor = value.end;
    if (cursor.id === ALL_RECORDS) return listed;
  }
}
