import {
  createRecord,
  deleteRecord,
  pinRecord,
  registerVersion,
  restoreRevision,
  setConfiguration,
  updateRecord,
  upgradeRecord,
  type ConfigField,
  type ConfigRecord,
  type FamilyRef,
  type JsonObject,
  type VersionState,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin, aVersion } from '../builders/a-plugin.ts';
import { aRuntimeReport } from '../builders/a-runtime-report.ts';
import { anAuthor } from '../builders/an-author.ts';
import type { LogPorts } from '../log-ports.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { LIVE } from './read-state.ts';

const author = anAuthor();
const PLUGIN = 7;
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };
const NOTE: ConfigField = { key: 'note', type: 'string' };
const FIRST = aVersion({
  version: '1',
  configSchema: [
    { key: 'address', type: 'string', required: true },
    TOKEN,
    { key: 'level', type: 'number', default: 1 },
  ],
});
const SECOND = aVersion({
  version: '2',
  schemaVersion: 2,
  configSchema: [
    { key: 'host', type: 'string', required: true },
    { key: 'port', type: 'number' },
    { key: 'password', type: 'string', secret: true },
    { key: 'level', type: 'number', default: 2 },
  ],
  migrations: [
    {
      from: 1,
      steps: [
        { split: { key: 'address', pattern: '(?<host>[^:]+):(?<port>\\d+)', numbers: ['port'] } },
        { rename: { from: 'token', to: 'password' } },
      ],
    },
  ],
});

/** Records keep the schema version of their configuration until they are upgraded. */
export function recordVersionsContract(test: TestWith<LogPorts>): void {
  test('a record follows its schema version when another version becomes current', async (ports) => {
    const family = await aFamily(ports);
    const record = await anOldRecord(ports, family, { address: 'db:5432', token: 'hunter2' });
    const found = await current(ports, record);
    expect(found).toMatchObject({ schemaVersion: 1, pinnedVersion: null });
    expect(JSON.parse(found.config)).toEqual({ address: 'db:5432', token: '********', level: 1 });
    expect(JSON.parse(found.pluginInfo ?? '').config_schema[0].key).toBe('address');
    expect(await ports.records.find(record)).toMatchObject({ isInvalid: false });
    const changed = await configure(ports, found, { address: 'other:1' });
    expect(JSON.parse(changed.config)).toEqual({ address: 'other:1', token: '********', level: 1 });
    await expect(configure(ports, changed, { host: 'a' })).rejects.toMatchObject({ attr: 'host' });
    const created = await create(ports, family, { host: 'a' });
    expect(created).toMatchObject({ schemaVersion: 2, pinnedVersion: null });
    expect(JSON.parse(created.config)).toEqual({ host: 'a', level: 2 });
  });

  test('an upgrade migrates the configuration with its secrets, as a revision', async (ports) => {
    const record = await anOldRecord(ports, await aFamily(ports), { address: 'db:5432', token: 'hunter2' });
    const upgraded = await upgrade(ports, record);
    expect(upgraded).toMatchObject({ schemaVersion: 2, pinnedVersion: null });
    expect(await current(ports, record)).toEqual(upgraded);
    expect(JSON.parse(upgraded.config)).toEqual({ host: 'db', port: 5432, password: '********', level: 2 });
    const values = (await ports.configurationValues.of(record))?.values ?? '';
    expect(JSON.parse(values)).toEqual({ host: 'db', port: 5432, password: 'hunter2' });
    const { items } = await ports.revisions.page(record, WHOLE);
    expect(items.map(({ schemaVersion }) => schemaVersion)).toEqual([2, 1]);
    const [entry] = (await ports.activity.page(record, { ...WHOLE })).items;
    expect(entry?.changes[0]).toEqual({ field: 'schema_version', before: 1, after: 2 });
    expect(JSON.stringify(entry)).not.toContain('hunter2');
    expect(await upgrade(ports, upgraded)).toEqual(upgraded);
  });

  test('a configuration that needs a person stays as it is', async (ports) => {
    const record = await anOldRecord(ports, await aFamily(ports), { address: 'db' });
    await expect(upgrade(ports, record)).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ attr: 'address' }],
    });
    expect(await current(ports, record)).toMatchObject({ schemaVersion: 1, version: record.version });
  });

  test('a record is not upgraded while a runtime is online that lacks the schema, unless it is forced', async (ports) => {
    const family = await aFamily(ports);
    const record = await anOldRecord(ports, family, { address: 'db:5432' });
    const reportOf = (schemas: number[]) => {
      const report = aRuntimeReport({ plugins: { [PLUGIN]: { version: '1', schemas } } });
      return ports.runtimes.report({ family, instance: 'shop-1', report, at: author.at });
    };
    await reportOf([1]);
    const behind = { code: 'runtime_behind', message: expect.stringContaining('shop-1') };
    await expect(upgrade(ports, record)).rejects.toMatchObject(behind);
    const pin = { record, version: '1', precondition: null, author };
    await pinRecord(ports, pin);
    expect(await upgrade(ports, record, { version: '1' })).toMatchObject({ schemaVersion: 1 });
    expect(await upgrade(ports, record, { force: true })).toMatchObject({ schemaVersion: 2 });
    const other = await create(ports, family, { host: 'a' });
    expect(await upgrade(ports, other)).toEqual(other);
  });

  test('restoring a revision from before an upgrade pins the record to its version', async (ports) => {
    const record = await anOldRecord(ports, await aFamily(ports), { address: 'db:5432' });
    await upgrade(ports, record);
    const { record: restored } = await restoreRevision(ports, {
      record: await current(ports, record),
      number: 1,
      precondition: null,
      author,
    });
    expect(restored).toMatchObject({ schemaVersion: 1, pinnedVersion: '1' });
    expect(JSON.parse(restored.config)).toEqual({ address: 'db:5432', level: 1 });
    expect(await current(ports, record)).toEqual(restored);
  });

  test('a record is pinned to versions with the schema of its configuration, which are not withdrawn', async (ports) => {
    const record = await anOldRecord(ports, await aFamily(ports), { address: 'db:5432' });
    const pin = (version: string | null) => pinRecord(ports, { record, version, precondition: null, author });
    await expect(pin('2')).rejects.toMatchObject({ code: 'invalid_input', attr: 'version' });
    await expect(pin('3')).rejects.toMatchObject({ code: 'does_not_exist', attr: 'version' });
    const pinned = await pin('1');
    expect(pinned).toMatchObject({ schemaVersion: 1, pinnedVersion: '1' });
    await ports.pluginVersions.change(PLUGIN, '1', { state: 'withdrawn' }, author);
    expect(await current(ports, record)).toMatchObject({ pinnedVersion: '1', config: pinned.config });
    const follow = { record: pinned, version: null, precondition: null, author };
    expect(await pinRecord(ports, follow)).toMatchObject({ pinnedVersion: null, schemaVersion: 1 });
    await expect(pin('1')).rejects.toMatchObject({ attr: 'version' });
  });

  test('a record goes on with its version when that is withdrawn', async (ports) => {
    const record = await anOldRecord(ports, await aFamily(ports), { address: 'db:5432' });
    const later = { ...FIRST, version: '1.1', configSchema: [...(FIRST.configSchema ?? []), NOTE] };
    await registerVersion(ports, PLUGIN, later, author);
    const before = await current(ports, record);
    expect(before.pluginInfo).toContain('"note"');
    await ports.pluginVersions.change(PLUGIN, '1.1', { state: 'withdrawn' }, author);
    expect(await current(ports, record)).toEqual(before);
    const changed = await configure(ports, before, { address: 'db:5432', note: 'primary' });
    expect(JSON.parse(changed.config)).toMatchObject({ note: 'primary' });
  });

  test('a record is outdated below the current schema version, or pinned to a version that has been given up', async (ports) => {
    const family = await aFamily(ports);
    const old = await anOldRecord(ports, family, { address: 'db:5432' });
    const other = await create(ports, family, { host: 'a' });
    const outdated = async () => {
      const lists = await Promise.all(
        [true, false].map(
          async (is) => (await ports.records.list(family, { ...LIVE, outdated: is }, WHOLE)).value.items,
        ),
      );
      const [found = [], others = []] = lists.map((items) => items.map(({ id }) => id));
      expect(new Set([...found, ...others])).toEqual(new Set([old.id, other.id]));
      const filter = { projectIds: [family.projectId], valid: null };
      for (const is of [true, null]) {
        const attached = (await ports.plugins.records(PLUGIN, { ...filter, outdated: is }, WHOLE)).items;
        const marked = attached.filter((one) => one.outdated);
        expect(marked.map(({ record }) => record.id)).toEqual(found);
      }
      expect(await ports.summaries.families(family.projectId)).toMatchObject([{ outdated: found.length }]);
      return found;
    };
    const state = (version: string, change: VersionState) =>
      ports.pluginVersions.change(PLUGIN, version, { state: change }, author);
    expect(await outdated()).toEqual([old.id]);
    await upgrade(ports, old);
    expect(await outdated()).toEqual([]);

    const pinned = { record: await current(ports, other), version: '2', precondition: null, author };
    await pinRecord(ports, pinned);
    await registerVersion(ports, PLUGIN, { ...SECOND, version: '2.1' }, author);
    await state('2.1', 'current');
    expect(await outdated()).toEqual([]);
    const { registryVersion: before } = await ports.records.find(other);
    for (const givenUp of ['deprecated', 'withdrawn'] as const) {
      await state('2', givenUp);
      expect(await outdated()).toEqual([other.id]);
    }
    expect((await ports.records.find(other)).registryVersion).toBe(before + 2);
    await state('2', 'supported');
    expect(await outdated()).toEqual([]);

    await state('1', 'current');
    expect(await outdated()).toEqual([]);
    await state('2.1', 'current');
    await state('2', 'deprecated');
    await ports.plugins.remove(PLUGIN, author);
    expect(await outdated()).toEqual([]);
  });

  test('each version lists how many records of a key follow it', async (ports) => {
    const family = await aFamily(ports);
    const old = await anOldRecord(ports, family, { address: 'db:5432' });
    const other = await create(ports, await aFamily(ports), { host: 'a' });
    await create(ports, family, { host: 'a' });
    await registerVersion(ports, PLUGIN, { ...SECOND, version: '2.1' }, author);
    const records = async (...projectIds: readonly number[]) =>
      (await ports.pluginVersions.page(PLUGIN, projectIds, WHOLE))?.items.map((version) => version.records);
    expect(await records()).toEqual([0, 2, 1]);
    expect(await records(family.projectId)).toEqual([0, 1, 1]);
    await pinRecord(ports, { record: old, version: '1', precondition: null, author });
    await ports.pluginVersions.change(PLUGIN, '2.1', { state: 'current' }, author);
    expect(await records()).toEqual([2, 0, 1]);
    await pinRecord(ports, { record: other, version: '2', precondition: null, author });
    await upgrade(ports, old);
    expect(await records()).toEqual([2, 1, 0]);
    await deleteRecord(
      { ...ports, requireRegistered: true },
      { record: await current(ports, old), precondition: null, author },
    );
    expect(await records()).toEqual([1, 1, 0]);
  });

  test('a record that is attached to another plugin follows its current version', async (ports) => {
    await ports.plugins.register(aPlugin({ id: 8 }), new Map(), author);
    const record = await anOldRecord(ports, await aFamily(ports), { address: 'db:5432' });
    await upgrade(ports, record);
    const change = { plugin: 8 };
    const dependencies = { ...ports, requireRegistered: true };
    const moved = { record: await current(ports, record), change, precondition: null, author };
    expect(await updateRecord(dependencies, moved)).toMatchObject({ schemaVersion: 1, pinnedVersion: null });
  });
}

const WHOLE = { limit: 1000, offset: 0 };

/** Creates an enabled record of the first version. Then the second one becomes current. */
async function anOldRecord(ports: Ports, family: FamilyRef, config: JsonObject): Promise<ConfigRecord> {
  await ports.plugins.register(aPlugin({ id: PLUGIN }), new Map(), author);
  await registerVersion(ports, PLUGIN, FIRST, author);
  const record = await create(ports, family, config);
  await registerVersion(ports, PLUGIN, SECOND, author);
  await ports.pluginVersions.change(PLUGIN, '2', { state: 'current' }, author);
  return record;
}

function create(ports: Ports, family: FamilyRef, config: JsonObject): Promise<ConfigRecord> {
  const dependencies = { ...ports, requireRegistered: false };
  const fields = { plugin: PLUGIN, enabled: true };
  return createRecord(dependencies, { family, fields, config, author });
}

function configure(ports: Ports, record: ConfigRecord, newConfig: JsonObject): Promise<ConfigRecord> {
  const dependencies = { ...ports, requireRegistered: false };
  return setConfiguration(dependencies, { record, newConfig, precondition: null, author });
}

async function upgrade(
  ports: Ports,
  record: ConfigRecord,
  options: { readonly version?: string; readonly force?: boolean } = {},
): Promise<ConfigRecord> {
  const command = { record: await current(ports, record), version: null, precondition: null, author };
  return upgradeRecord(ports, { ...command, ...options });
}

async function current(ports: Ports, record: ConfigRecord): Promise<ConfigRecord> {
  const { value } = await ports.records.find(record);
  if (value === null) throw new Error('The record is missing.');
  return value;
}
