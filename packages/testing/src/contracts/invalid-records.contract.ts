import {
  cacheVersionOf,
  deleteRecord,
  isValidConfiguration,
  registerPlugin,
  restoreRevision,
  setConfiguration,
  updateRecord,
  type ConfigField,
  type ConfigRecord,
  type FamilyRef,
  type JsonObject,
  type RecordChange,
  type RecordCounts,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor } from '../builders/an-author.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { seededPick } from './seeded-pick.ts';
import { countersOf, historyOf, idsOf, LIVE, WHOLE } from './read-state.ts';

const author = anAuthor();
const HOST: ConfigField = { key: 'host', type: 'string' };
const NEEDS_HOST: ConfigField = { ...HOST, required: true };

const SCHEMAS: readonly (readonly ConfigField[] | undefined)[] = [
  [HOST],
  [NEEDS_HOST],
  [{ ...NEEDS_HOST, default: 'a' }],
  [{ ...HOST, type: 'number' }],
  undefined,
];

/** The rules for the marks of enabled records whose configuration a registration has made invalid. */
export function invalidRecordsContract(test: TestWith<LogPorts>): void {
  test('a registration marks the enabled records that lack a required entry, and counts them', async (ports) => {
    const family = await aFamily(ports);
    const other = await aFamily(ports);
    const lacking = await aRecord(ports, family, { enabled: true });
    const complete = await configured(ports, family, { host: 'a' });
    await aRecord(ports, family);
    await aRecord(ports, family, { deleted: true });
    await aRecord(ports, family, { plugin: 8, enabled: true });
    const elsewhere = await aRecord(ports, other, { enabled: true });
    expect(await register(ports, [HOST])).toEqual({ total: 4, invalid: 0 });
    expect(await register(ports, [NEEDS_HOST])).toEqual({ total: 4, invalid: 2 });
    expect(await marked(ports, family)).toEqual([lacking.id]);
    expect(await marked(ports, other)).toEqual([elsewhere.id]);
    expect(await ports.records.find(lacking)).toMatchObject({ isInvalid: true });
    expect(await ports.records.find(complete)).toMatchObject({ isInvalid: false });
    const { items } = (
      await ports.records.list(family, { ...LIVE, enabled: true, valid: true, plugin: 7 }, WHOLE)
    ).value;
    expect(idsOf(items)).toEqual([complete.id]);
    expect(await register(ports, [NEEDS_HOST])).toEqual({ total: 4, invalid: 2 });
  });

  test('marks change no record, no history and no version, but all earlier reads are out of date', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family, { enabled: true });
    await register(ports, [HOST]);
    const before = await ports.records.find(record);
    const counters = await countersOf(ports, family);
    await register(ports, [NEEDS_HOST]);
    const after = await ports.records.find(record);
    expect(after.value).toMatchObject({ enabled: true, version: before.value?.version });
    expect(await historyOf(ports, record)).toHaveLength(1);
    expect(await countersOf(ports, family)).toEqual(counters);
    expect(cacheVersionOf(after)).toBeGreaterThan(cacheVersionOf(before));
  });

  const clearing: Readonly<Record<string, readonly ConfigField[] | undefined>> = {
    'a default': [{ ...NEEDS_HOST, default: 'a' }],
    'a secret default': [{ ...NEEDS_HOST, secret: true, default: 'a' }],
    'an optional entry': [HOST],
    'no schema': undefined,
  };
  for (const [name, schema] of Object.entries(clearing)) {
    test(`a registration with ${name} clears the marks`, async (ports) => {
      const { family, record } = await aMarked(ports);
      expect(await marked(ports, family)).toEqual([record.id]);
      expect(await register(ports, schema)).toEqual({ total: 1, invalid: 0 });
      expect(await marked(ports, family)).toEqual([]);
    });
  }

  test('a removed plugin clears the marks', async (ports) => {
    const { family } = await aMarked(ports);
    await ports.plugins.remove(7, author);
    expect(await marked(ports, family)).toEqual([]);
  });

  const kept: Readonly<Record<string, RecordChange>> = {
    'a new name': { name: 'Other' },
    'a new position': { order: 9 },
  };
  for (const [name, change] of Object.entries(kept)) {
    test(`${name} keeps the mark`, async (ports) => {
      const { family, record } = await aMarked(ports);
      await update(ports, record, change);
      expect(await marked(ports, family)).toEqual([record.id]);
    });
  }

  test('a valid configuration, another plugin, disabling and deleting each clear the mark', async (ports) => {
    const { family, record } = await aMarked(ports);
    const records = [
      record,
      ...(await Promise.all([1, 2, 3].map(() => aRecord(ports, family, { enabled: true })))),
    ];
    await register(ports, [{ ...NEEDS_HOST, name: 'Host' }]);
    expect(await marked(ports, family)).toEqual(idsOf(records));
    const [reconfigured = record, attached = record, disabled = record, deleted = record] = records;
    await configure(ports, reconfigured, { host: 'a' });
    await update(ports, attached, { plugin: 8 });
    await update(ports, disabled, { enabled: false });
    await deleteRecord(dependencies(ports), { record: deleted, precondition: null, author });
    expect(await marked(ports, family)).toEqual([]);
    for (const each of [disabled, deleted]) {
      const restored = await update(ports, each, { deleted: false });
      expect(await marked(ports, family)).toEqual([]);
      await expect(update(ports, restored, { enabled: true })).rejects.toMatchObject({
        code: 'required',
        attr: 'host',
      });
    }
    expect(await register(ports, [NEEDS_HOST])).toEqual({ total: 3, invalid: 0 });
  });

  test('a change to the configuration of an enabled record is rejected while a secret of it is invalid', async (ports) => {
    const family = await aFamily(ports);
    const secret: ConfigField = { key: 'token', type: 'string', secret: true };
    await register(ports, [HOST, secret]);
    const record = await configured(ports, family, { host: 'b', token: 'hunter2' });
    await register(ports, [HOST, { ...secret, type: 'number' }]);
    expect(await marked(ports, family)).toEqual([record.id]);
    const error = { code: 'invalid_input', attr: 'token' };
    await expect(configure(ports, record, { host: 'a' })).rejects.toMatchObject(error);
    const restoring = restoreRevision(dependencies(ports), { record, number: 1, precondition: null, author });
    await expect(restoring).rejects.toMatchObject(error);
    await configure(ports, record, { host: 'a', token: 5 });
    expect(await marked(ports, family)).toEqual([]);
  });

  test('a record that is enabled during a registration is valid or marked afterwards', async (ports) => {
    const family = await aFamily(ports);
    const records = await Promise.all(Array.from({ length: 20 }, () => aRecord(ports, family)));
    const [, ...results] = await Promise.allSettled([
      register(ports, [NEEDS_HOST]),
      ...records.map((record) => update(ports, record, { enabled: true })),
    ]);
    const enabled = records.filter((_, i) => results[i]?.status === 'fulfilled');
    expect(await marked(ports, family)).toEqual(idsOf(enabled));
  });

  test('after concurrent registrations and changes, exactly the invalid ones of the enabled records are marked', async (ports) => {
    const below = seededPick(49);
    const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
    const families = [await aFamily(ports), await aFamily(ports)];
    const records: ConfigRecord[] = [];
    for (let n = 0; n < 6; n++) {
      for (const family of families) records.push(await aRecord(ports, family));
    }
    const change = (record: ConfigRecord): Promise<unknown> =>
      pick<() => Promise<unknown>>([
        () => update(ports, record, { enabled: true }),
        () => update(ports, record, { enabled: false }),
        () => update(ports, record, { plugin: pick([7, 8]) }),
        () => update(ports, record, { name: pick(['a', 'b']) }),
        () => update(ports, record, { deleted: pick([true, false]) }),
        () => configure(ports, record, pick<JsonObject>([{}, { host: 'a' }, { host: 1 }])),
      ])();
    let seen = 0;
    for (let round = 0; round < 15; round++) {
      await Promise.allSettled([
        ...[7, 8].map((id) => registerPlugin(ports, aPlugin({ id, configSchema: pick(SCHEMAS) }), author)),
        ...records.map((record) => change(record)),
      ]);
      const expected: number[] = [];
      for (const record of records) {
        const stored = await ports.configurationValues.of(record);
        if (stored?.record.enabled === true && !isValidConfiguration(stored)) expected.push(record.id);
      }
      const found = await Promise.all(families.map((family) => marked(ports, family)));
      expect(found.flat().toSorted((a, b) => a - b)).toEqual(expected);
      seen += expected.length;
    }
    expect(seen).toBeGreaterThan(0);
  });

  test('the entries that a former plugin declared secret do not make a record invalid', async (ports) => {
    const family = await aFamily(ports);
    const token: ConfigField = { key: 'token', type: 'string', secret: true };
    await registerPlugin(ports, aPlugin({ id: 8, configSchema: [token] }), author);
    const record = await aRecord(ports, family, { plugin: 8, enabled: true });
    await configure(ports, record, { token: 'hunter2' });
    await update(ports, record, { plugin: 7 });
    expect(await register(ports, [HOST])).toEqual({ total: 1, invalid: 0 });
  });

  test('records of deleted projects are neither counted nor listed', async (ports) => {
    const { family } = await aMarked(ports);
    const { record } = await aMarked(ports);
    const { name } = (await ports.projects.find(family.projectId)) ?? { name: '' };
    await ports.erasures.start(family.projectId, name, author);
    expect(await register(ports, [{ ...NEEDS_HOST, name: 'Host' }])).toEqual({ total: 1, invalid: 1 });
    const listed = await ports.plugins.records(7, { projectIds: [], valid: null, outdated: null }, WHOLE);
    expect(listed.items.map((item) => item.record.id)).toEqual([record.id]);
  });

  test('the records of a plugin are listed by project, family and id, within the projects of the key', async (ports) => {
    const [family, other] = [await aFamily(ports), await aFamily(ports)];
    const transformations = { ...family, family: 'pipeline_transformation_configs' } as const;
    const last = await aRecord(ports, other, { enabled: true, name: 'Last' });
    const [second, third] = [await aRecord(ports, family), await configured(ports, family, { host: 'a' })];
    const first = await aRecord(ports, transformations, { enabled: true });
    await aRecord(ports, family, { deleted: true });
    await aRecord(ports, family, { plugin: 8 });
    await register(ports, [NEEDS_HOST]);
    const shown = async (
      { id, projectId, family: name, name: title, enabled }: ConfigRecord,
      valid: boolean,
    ) => {
      const found = await ports.projects.find(projectId);
      const project = { id: projectId, externalId: found?.externalId, name: found?.name };
      return {
        project,
        family: name,
        record: { id, name: title ?? `${aPlugin().name} ${id}` },
        enabled,
        valid,
        outdated: false,
      };
    };
    const all = await Promise.all([
      shown(first, false),
      shown(second, true),
      shown(third, true),
      shown(last, false),
    ]);
    const list = (projectIds: readonly number[], valid: boolean | null, page = WHOLE) =>
      ports.plugins.records(7, { projectIds, valid, outdated: null }, page);
    expect(await list([], null)).toEqual({ count: 4, items: all });
    expect(await list([], null, { limit: 2, offset: 1 })).toEqual({ count: 4, items: all.slice(1, 3) });
    expect(await list([], null, { limit: 2, offset: 4 })).toEqual({ count: 4, items: [] });
    expect(await list([family.projectId], null)).toEqual({ count: 3, items: all.slice(0, 3) });
    expect(await list([family.projectId], false)).toEqual({ count: 1, items: all.slice(0, 1) });
    expect(await list([], true)).toEqual({ count: 2, items: all.slice(1, 3) });
  });

  test('marked records are counted by family, and cleared marks are not', async (ports) => {
    const { family, record } = await aMarked(ports);
    expect(await ports.summaries.families(family.projectId)).toMatchObject([{ enabled: 1, invalid: 1 }]);
    await configure(ports, record, { host: 'a' });
    expect(await ports.summaries.families(family.projectId)).toMatchObject([{ enabled: 1, invalid: 0 }]);
  });
}

/** A family with an enabled record that the registration of its plugin has made invalid. */
async function aMarked(
  ports: LogPorts,
): Promise<{ readonly family: FamilyRef; readonly record: ConfigRecord }> {
  const family = await aFamily(ports);
  const record = await aRecord(ports, family, { enabled: true });
  await register(ports, [HOST]);
  await register(ports, [NEEDS_HOST]);
  return { family, record };
}

async function register(
  ports: LogPorts,
  configSchema: readonly ConfigField[] | undefined,
): Promise<RecordCounts> {
  return (await registerPlugin(ports, aPlugin({ configSchema }), author)).records;
}

async function marked({ records }: LogPorts, family: FamilyRef): Promise<readonly number[]> {
  return idsOf((await records.list(family, { ...LIVE, valid: false }, WHOLE)).value.items);
}

const dependencies = (ports: LogPorts) => ({ ...ports, requireRegistered: false });

async function update(ports: LogPorts, stored: ConfigRecord, change: RecordChange): Promise<ConfigRecord> {
  const record = (await ports.records.find(stored)).value ?? stored;
  return updateRecord(dependencies(ports), { record, precondition: null, change, author });
}

function configure(ports: LogPorts, record: ConfigRecord, newConfig: JsonObject): Promise<ConfigRecord> {
  return setConfiguration(ports, { record, precondition: null, newConfig, author });
}

async function configured(ports: LogPorts, family: FamilyRef, newConfig: JsonObject): Promise<ConfigRecord> {
  return configure(ports, await aRecord(ports, family, { enabled: true }), newConfig);
}
