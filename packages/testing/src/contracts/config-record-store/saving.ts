import { INTEGER_MAX, type ConfigRecord, type Plugin } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../../builders/a-family.ts';
import { aPlugin } from '../../builders/a-plugin.ts';
import { aRecord } from '../../builders/a-record.ts';
import { aRecordWrite } from '../../builders/a-record-write.ts';
import { aKeyHash, anApiKey, revokedAuthor } from '../../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../../builders/an-author.ts';
import type { Ports } from '../../ports.ts';
import type { TestWith } from '../../test-with.ts';
import { historyOf, countersOf } from '../read-state.ts';

export function savingContract(test: TestWith<Ports>): void {
  test('a change is stored completely, and the result equals the stored record', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports), { enabled: true });
    const change = {
      plugin: INTEGER_MAX,
      enabled: false,
      order: 0,
      name: 'Größe 🚀',
      description: '',
      deleted: true,
      config: '{"b":1,"a":2}',
    };
    const at = secondsLater(5.678);
    const saved = await ports.records.save(aRecordWrite(before, change, { activity: { at } }));
    const next = {
      updatedAt: at,
      version: before.version + 1,
      configVersion: before.configVersion + 1,
    };
    expect(saved).toEqual({ ...before, ...change, ...next });
    expect((await ports.records.find(before)).value).toEqual(saved);
  });

  test('an author whose key is revoked stores no change', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports));
    const author = await revokedAuthor(ports);
    const write = aRecordWrite(before, { name: 'Too late' }, { activity: author });
    await expect(ports.records.save(write)).rejects.toMatchObject({ code: 'authentication_failed' });
    const alive = {
      actor: { keyId: (await ports.keys.add(anApiKey({ hash: aKeyHash(2) }), anAuthor())).id, label: '' },
    };
    const others = [write, aRecordWrite(before, { name: 'In time' }, { activity: alive })];
    const [rejected, saved] = await Promise.allSettled(others.map((each) => ports.records.save(each)));
    expect(rejected).toMatchObject({ status: 'rejected', reason: { code: 'authentication_failed' } });
    expect(saved).toMatchObject({
      status: 'fulfilled',
      value: { name: 'In time', version: before.version + 1 },
    });
    expect(await historyOf(ports, before)).toHaveLength(2);
  });

  test('a change and its activity entry are stored together', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports));
    const changes = [{ field: 'enabled', before: false, after: true }];
    await ports.records.save(
      aRecordWrite(before, { enabled: true }, { activity: { activity: 'enabled', changes } }),
    );
    expect(await historyOf(ports, before)).toMatchObject([
      { activity: 'enabled', changes },
      { activity: 'created' },
    ]);
  });

  test('a change based on an outdated version is not stored and writes no entry', async (ports) => {
    const family = await aFamily(ports);
    const before = await aRecord(ports, family);
    const first = await ports.records.save(aRecordWrite(before, { name: 'First' }));
    const counters = await countersOf(ports, family);
    expect(await ports.records.save(aRecordWrite(before, { name: 'Second' }))).toBeNull();
    expect((await ports.records.find(before)).value).toEqual(first);
    expect(await historyOf(ports, before)).toHaveLength(2);
    expect(await countersOf(ports, family)).toEqual(counters);
  });

  test('a change is stored only under its own project and family', async (ports) => {
    const family = await aFamily(ports);
    const elsewhere = await aFamily(ports);
    const record = await aRecord(ports, family);
    const misses = [
      { ...record, ...elsewhere },
      { ...record, family: 'pipeline_transformation_configs' } as const,
      { ...record, id: record.id + 1 },
    ];
    for (const before of misses)
      expect(await ports.records.save(aRecordWrite(before, { name: 'Lost' }))).toBeNull();
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('exactly one of several concurrent changes based on one version wins', async (ports) => {
    const family = await aFamily(ports);
    const before = await aRecord(ports, family);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => ports.records.save(aRecordWrite(before, { name: `Name ${i}` }))),
    );
    const won = outcomes.filter((saved) => saved !== null);
    expect(won).toHaveLength(1);
    expect((await ports.records.find(before)).value).toEqual(won[0]);
    expect(won[0]?.version).toBe(before.version + 1);
    expect(await historyOf(ports, before)).toHaveLength(2);
  });

  test('concurrent changes to different records all win', async (ports) => {
    const families = [
      await aFamily(ports),
      await aFamily(ports),
      await aFamily(ports, 'pipeline_transformation_configs'),
    ];
    const records: ConfigRecord[] = [];
    for (let i = 0; i < 10; i++) for (const family of families) records.push(await aRecord(ports, family));
    const writes = records.map((before, i) => aRecordWrite(before, { name: `Name ${i}` }));
    const saved = await Promise.all(writes.map((write) => ports.records.save(write)));
    const next = writes.map(({ after, before }) => ({ ...after, version: before.version + 1 }));
    expect(saved).toEqual(next);
    for (const record of records) expect(await historyOf(ports, record)).toHaveLength(2);
  });

  test('a change that loses does not affect changes that are stored concurrently', async (ports) => {
    const family = await aFamily(ports);
    const stale = await aRecord(ports, family);
    await ports.records.save(aRecordWrite(stale, { name: 'Faster' }));
    const fresh = [await aRecord(ports, family), await aRecord(ports, family)];
    const outcomes = await Promise.all(
      [...fresh, stale, stale].map((before) => ports.records.save(aRecordWrite(before, { name: 'Slower' }))),
    );
    expect(outcomes.map((saved) => saved?.name ?? null)).toEqual(['Slower', 'Slower', null, null]);
  });

  test('a change does not write the error and the delivery rate', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports));
    const saved = await ports.records.save(
      aRecordWrite(before, { error: 'made up', deliveryRate: '1.0000' }),
    );
    expect(saved).toMatchObject({ error: null, deliveryRate: null });
    expect((await ports.records.find(before)).value).toEqual(saved);
  });

  test('a change decided before its plugin was registered is not stored', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    await register(ports, aPlugin({ id: 7 }));
    expect(await ports.records.save(aRecordWrite(before, { config: '{"token":"clear"}' }))).toBeNull();
    expect(await ports.records.save(aRecordWrite(before, { plugin: 8 }))).not.toBeNull();
  });

  test('a change to a plugin that was registered concurrently is not stored', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    await register(ports, aPlugin({ id: 8 }));
    expect(await ports.records.save(aRecordWrite(before, { plugin: 8 }))).toBeNull();
    expect((await ports.records.find(before)).value).toEqual(before);
  });

  test('a change decided before its plugin was removed and registered again unchanged is not stored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    await register(ports, aPlugin({ id: 7 }));
    const before = (await ports.records.find(record)).value ?? record;
    await ports.plugins.remove(7, anAuthor());
    await register(ports, aPlugin({ id: 7 }));
    expect(await ports.records.save(aRecordWrite(before, { name: 'Late' }))).toBeNull();
    expect(before.registryVersion).not.toBeNull();
  });

  test('a new configuration bumps its version even if it is shown unchanged, and a new name does not', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports));
    const configured =
      (await ports.records.save(aRecordWrite(before, {}, { values: '{"token":"hunter2"}' }))) ?? before;
    const named = (await ports.records.save(aRecordWrite(configured, { name: 'Named' }))) ?? before;
    const configVersions = [before, configured, named].map(({ configVersion }) => configVersion);
    expect(configVersions).toEqual([1, 2, 2]);
  });

  test('a change decided before a former plugin was registered is not stored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    const moved = { plugin: 8, formerPlugins: [7] };
    const before = (await ports.records.save(aRecordWrite(record, moved))) ?? record;
    await register(ports, aPlugin({ id: 7 }));
    expect(await ports.records.save(aRecordWrite(before, { name: 'Late' }))).toBeNull();
    const read = (await ports.records.find(before)).value ?? before;
    expect(read).toMatchObject({ ...moved, name: null });
    expect(await ports.records.save(aRecordWrite(read, { name: 'In time' }))).not.toBeNull();
  });
}

async function register({ plugins }: Ports, plugin: Plugin): Promise<void> {
  await plugins.register(plugin, new Map(), anAuthor());
}
