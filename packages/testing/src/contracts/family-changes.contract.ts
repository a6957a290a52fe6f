import {
  ALL_RECORDS,
  cursorAt,
  type ConfigRecord,
  type FamilyCursor,
  type FamilyRef,
  type Values,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { anAuthor } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { changesOf } from './changes-of.ts';
import { WHOLE } from './read-state.ts';

type Work = (ports: Ports, record: ConfigRecord) => Promise<unknown>;

const NO_SECRETS: Values = new Map();
const START = { registryVersion: 0, familyVersion: 0, id: ALL_RECORDS };
const ANY = { deleted: null, enabled: null, plugin: null, valid: null, outdated: null, search: null };

/** Each changes only the first record. */
const CHANGES: Readonly<Record<string, Work>> = {
  'saving a change': ({ records }, record) => records.save(aRecordWrite(record, { name: 'New' })),
  'deleting it': ({ records }, record) =>
    records.save(aRecordWrite(record, { deleted: true, enabled: false })),
};

/** Each changes how records that attach the plugin are shown, without changing the records. */
const PLUGIN_CHANGES: Readonly<Record<string, Work>> = {
  'registering its plugin': ({ plugins }, { plugin: id }) =>
    plugins.register(aPlugin({ id, name: 'New' }), NO_SECRETS, anAuthor()),
  'removing its plugin': ({ plugins }, { plugin: id }) => plugins.remove(id, anAuthor()),
};

const NO_CHANGES: Readonly<Record<string, Work>> = {
  'queueing a job': ({ jobs }, record) => jobs.queue(aJob(record), null),
  'a change based on an outdated version': ({ records }, record) =>
    records.save(aRecordWrite({ ...record, version: 99 }, { name: 'New' })),
  'registering another plugin': ({ plugins }) =>
    plugins.register(aPlugin({ id: 4711 }), NO_SECRETS, anAuthor()),
  'registering its plugin again unchanged': ({ plugins }, { plugin: id }) =>
    plugins.register(aPlugin({ id }), NO_SECRETS, anAuthor()),
  'removing a plugin that is not registered': ({ plugins }) => plugins.remove(4711, anAuthor()),
};

export function familyChangesContract(test: TestWith<Ports>): void {
  for (const [name, work] of Object.entries(CHANGES)) {
    test(`${name} is listed as a change to only this record`, async (ports) => {
      const family = await aFamily(ports);
      const record = await aRecord(ports, family, { plugin: 1 });
      await aRecord(ports, family, { plugin: 2 });
      const changes = await changesOf(ports, family, () => work(ports, record));
      expect(changes).toEqual({ ids: [record.id], isReordered: false, isCursorInvalid: false });
    });
  }

  for (const [name, work] of Object.entries(PLUGIN_CHANGES)) {
    test(`${name} voids the cursors of the families that attach it, and no others`, async (ports) => {
      const [here, there, neither] = [
        await aFamily(ports),
        await aFamily(ports, 'pipeline_transformation_configs'),
        await aFamily(ports),
      ];
      await ports.plugins.register(aPlugin({ id: 1 }), NO_SECRETS, anAuthor());
      const record = await aRecord(ports, here, { plugin: 1 });
      await aRecord(ports, there, { plugin: 1, deleted: true });
      await aRecord(ports, neither, { plugin: 2 });
      const families = [here, there, neither];
      const before = await Promise.all(families.map((family) => cursorOf(ports, family)));
      await work(ports, record);
      const isCursorInvalid = async (cursors: readonly FamilyCursor[]) =>
        Promise.all(
          families.map(async (family, i) => {
            const cursor = cursors[i] ?? START;
            const { records, isCursorInvalid: after } = await ports.changes.after(family, cursor, 10);
            const { value } = await ports.records.listChanged(family, cursor, ANY, WHOLE);
            expect([records, value.items, value.isCursorInvalid]).toEqual([[], [], after]);
            return after;
          }),
        );
      expect(await isCursorInvalid(before)).toEqual([true, true, false]);
      const after = await Promise.all(families.map((family) => cursorOf(ports, family)));
      expect(after.map(({ familyVersion }) => familyVersion)).toEqual(
        before.map(({ familyVersion }) => familyVersion),
      );
      expect(await isCursorInvalid(after)).toEqual([false, false, false]);
    });
  }

  test('a record that was changed or created after a cursor does not void it, because it is among the changes', async (ports) => {
    const family = await aFamily(ports);
    const [changed, left] = [
      await aRecord(ports, family, { plugin: 1 }),
      await aRecord(ports, family, { plugin: 1 }),
    ];
    const before = await cursorOf(ports, family);
    await ports.plugins.register(aPlugin({ id: 1 }), NO_SECRETS, anAuthor());
    const save = async ({ id }: ConfigRecord, change: Partial<ConfigRecord>) => {
      const { value } = await ports.records.find({ ...family, id });
      if (value !== null) await ports.records.save(aRecordWrite(value, change));
    };
    await save(changed, { name: 'New' });
    expect(await ports.changes.after(family, before, 10)).toMatchObject({ isCursorInvalid: true });
    await save(left, { plugin: 2, formerPlugins: [1] });
    const created = await aRecord(ports, family, { plugin: 1 });
    const { records, isCursorInvalid } = await ports.changes.after(family, before, 10);
    expect([records.map(({ id }) => id), isCursorInvalid]).toEqual([
      [changed.id, left.id, created.id],
      false,
    ]);
  });

  for (const [name, work] of Object.entries(NO_CHANGES)) {
    test(`${name} is not listed as a change`, async (ports) => {
      const family = await aFamily(ports);
      const record = await aRecord(ports, family, { plugin: 1 });
      await ports.plugins.register(aPlugin({ id: 1 }), NO_SECRETS, anAuthor());
      const { value } = await ports.records.find(record);
      const changes = await changesOf(ports, family, () => work(ports, value ?? record));
      expect(changes).toEqual({ ids: [], isReordered: false, isCursorInvalid: false });
    });
  }

  test('a new record is listed, even if it is deleted', async (ports) => {
    const family = await aFamily(ports);
    const created: number[] = [];
    const { ids } = await changesOf(ports, family, async () => {
      created.push((await aRecord(ports, family)).id, (await aRecord(ports, family, { deleted: true })).id);
    });
    expect(ids).toEqual(created);
  });

  test('a rearrange is listed with the records it moves', async (ports) => {
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
    expect(moved).toEqual({ ids: [one.id, two.id], isReordered: true, isCursorInvalid: false });
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

  test('changes are read in chunks, even within one family version', async (ports) => {
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
    expect(await inChunks(ports, family, 1)).toEqual(expected);
    expect(await inChunks(ports, family, 2)).toEqual(expected);
    expect(await listedInChunks(ports, family, 1)).toEqual(expected);
    expect(await listedInChunks(ports, family, 3)).toEqual(expected);
  });

  test('changes to other families and projects are not listed', async (ports) => {
    const family = await aFamily(ports);
    const others = [{ ...family, family: 'pipeline_transformation_configs' } as const, await aFamily(ports)];
    const { ids } = await changesOf(ports, family, async () => {
      for (const other of others) await aRecord(ports, other);
    });
    expect(ids).toEqual([]);
  });

  test('a missing family has family version 0 and no changes', async (ports) => {
    const family = await aFamily(ports);
    const missing = { ...family, projectId: 4711 };
    const { familyVersions, ...at } = await ports.changes.familyVersions([family, missing]);
    const [own, none] = familyVersions;
    expect([own, none]).toEqual([expect.any(Number), 0]);
    expect(own).toBeGreaterThan(0);
    expect(await ports.changes.familyVersions([])).toEqual({ ...at, familyVersions: [] });
    expect(await ports.changes.after(missing, START, 10)).toEqual({
      registryVersion: 0,
      familyVersion: 0,
      orderVersion: 0,
      isCursorInvalid: false,
      records: [],
      isComplete: true,
    });
  });

  test('a list of changes is filtered by the current values of the records', async (ports) => {
    const family = await aFamily(ports);
    const live = await aRecord(ports, family, { plugin: 1, enabled: true, name: 'needle' });
    const gone = await aRecord(ports, family, { plugin: 1, deleted: true });
    const other = await aRecord(ports, family, { plugin: 2 });
    const listed = async (filter: Partial<Parameters<typeof ports.records.listChanged>[2]>) =>
      (
        await ports.records.listChanged(family, START, { ...ANY, ...filter }, { limit: 10, offset: 0 })
      ).value.items.map(({ id }) => id);
    expect(await listed({})).toEqual([live.id, gone.id, other.id]);
    expect(await listed({ deleted: false })).toEqual([live.id, other.id]);
    expect(await listed({ deleted: true })).toEqual([gone.id]);
    expect(await listed({ plugin: 1 })).toEqual([live.id, gone.id]);
    expect(await listed({ enabled: true, plugin: 1, search: 'NEEDLE' })).toEqual([live.id]);
  });
}

async function inChunks({ changes }: Ports, family: FamilyRef, limit: number): Promise<readonly number[]> {
  const listed: number[] = [];
  let cursor: FamilyCursor = START;
  for (;;) {
    const { records, isComplete } = await changes.after(family, cursor, limit);
    listed.push(...records.map(({ id }) => id));
    if (isComplete) return listed;
    const last = records.at(-1);
    if (last === undefined) throw new Error('A chunk that is not the last has no records.');
    cursor = { ...START, familyVersion: last.familyVersion, id: last.id };
  }
}

async function listedInChunks(
  { records }: Ports,
  family: FamilyRef,
  limit: number,
): Promise<readonly number[]> {
  const listed: number[] = [];
  let cursor: FamilyCursor = START;
  for (;;) {
    const { value } = await records.listChanged(family, cursor, ANY, { limit, offset: 0 });
    listed.push(...value.items.map(({ id }) => id));
    cursor = { ...START, ...value.end };
    if (cursor.id === ALL_RECORDS) return listed;
  }
}

/** Returns the current end of the family. */
async function cursorOf({ changes }: Ports, family: FamilyRef): Promise<FamilyCursor> {
  const { familyVersions, ...at } = await changes.familyVersions([family]);
  return cursorAt({ ...at, familyVersion: familyVersions[0] ?? 0 });
}
