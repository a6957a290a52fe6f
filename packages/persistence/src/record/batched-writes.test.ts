import type { ConfigRecord, FamilyRef } from '@plugin-config/domain';
import {
  aFamily,
  anAuthor,
  aPlugin,
  aRecord,
  aRecordDraft,
  aRecordWrite,
  countersOf,
  mustStore,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.ts';
import { sentStatements } from '../testing/statements.fixture.ts';
import { CREATE_RECORDS } from './create-records.ts';
import { SAVE_RECORDS } from './save-records.ts';

const { onStatement, since } = sentStatements();
const withEmptied = databaseOfFile({ onStatement });

const OPTIONS = { author: anAuthor(), requireRegistered: false };

function records(
  count: number,
  database: EncryptedDatabase,
  family: FamilyRef,
): Promise<readonly ConfigRecord[]> {
  const { create } = postgresPorts(database).records;
  const creations = Array.from({ length: count }, () => create(family, aRecordDraft(), OPTIONS));
  return Promise.all(creations.map(mustStore));
}

/** Locks the family. Resolves to a function that unlocks it. */
async function lockFamilyOf(
  { records: { lock } }: PostgresPorts,
  family: FamilyRef,
): Promise<() => Promise<void>> {
  const [locked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = lock(family, () => {
    locked.resolve();
    return ended.promise;
  });
  await locked.promise;
  return () => {
    ended.resolve();
    return locking;
  };
}

test('changes in the same tick share one statement, and all are stored', () =>
  withEmptied(async (database) => {
    const stored = await records(100, database, await aFamily(postgresPorts(database)));
    const { save, find } = postgresPorts(database).records;
    since();
    const saved = await Promise.all(
      stored.map((record, i) => save(aRecordWrite(record, { name: `Name ${i}` }))),
    );
    expect(since()).toEqual([SAVE_RECORDS.text]);
    expect(saved).toEqual(stored.map((record, i) => ({ ...record, name: `Name ${i}`, version: 2 })));
    const found = await Promise.all(stored.map(find));
    expect(found.map(({ value }) => value)).toEqual(saved);
  }));

test('new records in the same tick share one statement and get consecutive positions', () =>
  withEmptied(async (database) => {
    const family = await aFamily(postgresPorts(database));
    since();
    const stored = await records(100, database, family);
    expect(since()).toEqual([CREATE_RECORDS.text]);
    const orders = stored.map(({ order }) => order).toSorted((a, b) => a - b);
    expect(orders).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  }));

test('a batch increments the versions of its families and of no others', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const [one, two, three] = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    const families = [one, two, three];
    const changed = [await aRecord(ports, one), await aRecord(ports, two)];
    const before = await Promise.all(families.map((family) => countersOf(ports, family)));
    await Promise.all(changed.map((record) => ports.records.save(aRecordWrite(record, { name: 'x' }))));
    const after = await Promise.all(families.map((family) => countersOf(ports, family)));
    expect(after.map(({ listVersion: version }, i) => version - (before[i]?.listVersion ?? 0))).toEqual([
      1, 1, 0,
    ]);
    expect(after.map(({ familyVersion }, i) => familyVersion - (before[i]?.familyVersion ?? 0))).toEqual([
      1, 1, 0,
    ]);
  }));

test('if a batch fails, only its invalid write fails in the end', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const stored = await Promise.all(Array.from({ length: 5 }, () => aRecord(ports, family)));
    const saved = await Promise.allSettled(
      stored.map((record, i) =>
        ports.records.save(aRecordWrite(record, { name: i === 2 ? 'x'.repeat(401) : 'fine' })),
      ),
    );
    expect(saved.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    const found = await Promise.all(stored.map(ports.records.find));
    expect(found.map(({ value }) => value?.version)).toEqual([2, 2, 1, 2, 2]);
  }));

test('a batch with a locked family stores the other families at once, and the locked family once it is unlocked', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const locked = await aRecord(ports, await aFamily(ports));
    const free = await aRecord(ports, await aFamily(ports));
    const release = await lockFamilyOf(ports, locked);
    const { save, create } = ports.records;
    const waiting = [save(aRecordWrite(locked, { name: 'Locked' })), create(locked, aRecordDraft(), OPTIONS)];
    const stored = [save(aRecordWrite(free, { name: 'Free' })), create(free, aRecordDraft(), OPTIONS)];
    expect(await Promise.all(stored)).toMatchObject([{ name: 'Free' }, { order: 2 }]);
    await release();
    expect(await Promise.all(waiting)).toMatchObject([{ name: 'Locked' }, { order: 2 }]);
  }));

test('a rejected new record does not prevent the others in its batch from being stored', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const { records: store, plugins } = ports;
    const family = await aFamily(ports);
    await plugins.register(aPlugin({ id: 7 }), new Map(), anAuthor());
    const strictly = { ...OPTIONS, requireRegistered: true };
    const results = await Promise.allSettled([
      store.create(family, aRecordDraft({ plugin: 7 }), strictly),
      store.create(family, aRecordDraft({ plugin: 8 }), strictly),
      store.create({ ...family, projectId: 4711 }, aRecordDraft(), OPTIONS),
      store.create(family, aRecordDraft({ plugin: 8 }), OPTIONS),
    ]);
    expect(results).toMatchObject([
      { value: { plugin: 7, order: 1 } },
      { reason: { code: 'does_not_exist', attr: 'plugin' } },
      { reason: { code: 'project_not_found' } },
      { value: { plugin: 8, order: 2 } },
    ]);
  }));

test('new records without a position come after records with a position in the same batch', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const drafts = [{}, { order: 7 }, { deleted: true }, {}, { order: 2_000_000_000, deleted: true }];
    const stored = await Promise.all(drafts.map((given) => aRecord(ports, family, given)));
    expect(stored.map(({ order }) => order)).toEqual([8, 7, 9, 9, 2_000_000_000]);
  }));

test('a configuration for a project that is deleted rejects only its own record', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const gone = { ...family, projectId: (await ports.projects.create({ name: 'Gone' }, anAuthor())).id };
    await ports.erasures.start(gone.projectId, 'Gone', anAuthor());
    const options = { ...OPTIONS, configuration: { values: '{"a":1}', changes: [] } };
    const creations = [gone, family].map((of) => ports.records.create(of, aRecordDraft(), options));
    expect(await Promise.allSettled(creations)).toMatchObject([
      { status: 'rejected', reason: { code: 'project_not_found' } },
      { status: 'fulfilled', value: { config: '{"a":1}' } },
    ]);
  }));

test('if the last position is taken, only new records without a position are rejected', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const drafts = [{}, { order: 2_147_483_647 }, {}, { order: 5 }];
    const results = await Promise.allSettled(
      drafts.map((given) => ports.records.create(family, aRecordDraft(given), OPTIONS)),
    );
    expect(results).toMatchObject([
      { reason: { code: 'max_value', attr: 'order' } },
      { value: { order: 2_147_483_647 } },
      { reason: { code: 'max_value', attr: 'order' } },
      { value: { order: 5 } },
    ]);
  }));

test('a name that looks like the placeholder of a position appears unchanged in the activity', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports), { name: '"after":-1}', description: '-1' });
    const { items } = await ports.activity.page(record, { limit: 1, offset: 0 });
    expect(items[0]?.changes).toContainEqual({ field: 'order', before: null, after: 1 });
    expect(items[0]?.changes).toContainEqual({ field: 'name', before: null, after: '"after":-1}' });
  }));
