import {
  adoptRecords,
  applyDeclaration,
  deleteRecord,
  exportDeclaration,
  makePlan,
  parseBase,
  patchConfiguration,
  planDeclaration,
  type ExportInput,
  type PlanInput,
  restoreRevision,
  setConfiguration,
  updateRecord,
  writeBack,
  type ConfigRecord,
  type JsonObject,
  type RecordChange,
} from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord, historyOf, seededRandomness } from '@plugin-config/testing';
import { expect, test as base } from 'vitest';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.ts';
import { competing } from '../testing/competing.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresRuntimeConfigurations } from './postgres-runtime-configurations.ts';

const author = anAuthor({ actor: { keyId: 1, label: 'shop runtime' } });
const FIELDS = [
  { key: 'host', type: 'string' },
  { key: 'refresh', type: 'string', secret: true, runtimeWritable: true },
] as const;
const GEOIP = aPlugin({ id: 7, configSchema: FIELDS });
const ALL = { projectIds: [], pluginIds: [] };

const withEmptied = databaseOfFile();

type Ports = PostgresPorts & {
  readonly configurations: ReturnType<typeof postgresRuntimeConfigurations>;
  readonly requireRegistered: false;
};

const test = (name: string, run: (ports: Ports) => Promise<void>): void =>
  base(name, () =>
    withEmptied((database) =>
      run({
        ...postgresPorts(database),
        configurations: postgresRuntimeConfigurations(database),
        requireRegistered: false,
      }),
    ),
  );

/** An enabled record that has a refresh token, and another record. */
async function aRecordWithToken(ports: Ports): Promise<ConfigRecord> {
  await ports.plugins.register(GEOIP, new Map(), anAuthor());
  const family = await aFamily(ports);
  await aRecord(ports, family, { plugin: 9, enabled: true });
  const record = (await ports.records.find(await aRecord(ports, family, { plugin: 7 }))).value;
  if (record === null) throw new Error('No record.');
  const newConfig = { host: 'a', refresh: 'hunter1' };
  const configured = await setConfiguration(ports, { record, precondition: null, newConfig, author });
  return change(ports, configured, { enabled: true });
}

const change = (ports: Ports, record: ConfigRecord, fields: RecordChange) =>
  updateRecord(ports, { record, precondition: null, change: fields, author });

const current = async (ports: Ports, record: ConfigRecord): Promise<ConfigRecord> =>
  (await ports.records.find(record)).value ?? record;

interface Options {
  readonly key?: { readonly projectIds: readonly number[]; readonly pluginIds: readonly number[] };
  readonly plugins?: readonly number[];
}

const write = (
  ports: Ports,
  { id, family, configVersion }: ConfigRecord,
  set: JsonObject,
  { key = ALL, plugins = [] }: Options = {},
) => writeBack(ports, { family, recordId: id, key, plugins, configVersion, set, author });

const valuesOf = async (ports: Ports, record: ConfigRecord): Promise<unknown> =>
  JSON.parse((await ports.configurationValues.of(record))?.values ?? 'null');

test('a written secret is what runtimes read next, in the given versions', async (ports) => {
  const record = await aRecordWithToken(ports);
  for (const plugins of [[], [7], [9]]) {
    const at = await current(ports, record);
    const scope = { ...record, plugins };
    const before = await ports.configurations.version(scope, null);
    const set = { refresh: `hunter${at.configVersion}` };
    const written = await write(ports, at, set, { plugins });
    const read = await ports.configurations.read(scope);
    expect(written).toEqual({
      configVersion: at.configVersion + 1,
      version: read.version,
      previousVersion: before.version,
    });
    const isShown = !plugins.includes(9);
    expect(written.version === before.version).toBe(!isShown);
    const [project] = (
      await ports.configurations.ofProjects(record.family, [record.projectId], { plugins, content: true })
    ).projects;
    expect(project).toMatchObject({ version: written.version, records: read.records });
    const shown = { configVersion: written.configVersion, config: { host: 'a', ...set } };
    if (isShown) expect(read.records.find(({ id }) => id === record.id)).toMatchObject(shown);
  }
});

test('a written secret is in no revision, and masked in the history and on the record', async (ports) => {
  const record = await aRecordWithToken(ports);
  const { items: revisions } = await ports.revisions.page(record, { limit: 10, offset: 0 });
  await write(ports, record, { refresh: 'hunter2' });
  expect((await ports.revisions.page(record, { limit: 10, offset: 0 })).items).toEqual(revisions);
  const [entry] = await historyOf(ports, record);
  expect(entry).toMatchObject({ activity: 'config_written', actor: author.actor });
  expect(JSON.stringify([entry, await current(ports, record)])).not.toContain('hunter');
});

test('of writers with the same version, one stores its value', async (ports) => {
  const record = await aRecordWithToken(ports);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => write(ports, record, { refresh: `token ${n}` })),
  );
  const stored = results.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
  expect(stored).toHaveLength(1);
  expect(await valuesOf(ports, record)).toEqual({ host: 'a', refresh: `token ${stored[0]}` });
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'stale_version' });
  await expect(write(ports, record, { refresh: 'again' })).rejects.toMatchObject({ code: 'stale_version' });
});

type Race = (ports: Ports, record: ConfigRecord) => Promise<unknown>;

const wins: Readonly<Record<string, readonly [Race, string]>> = {
  'its configuration is changed': [
    (ports, record) =>
      patchConfiguration(ports, { record, precondition: null, patch: { host: 'b' }, author }),
    'stale_version',
  ],
  'a revision is restored': [
    async (ports, record) => {
      const patched = await patchConfiguration(ports, {
        record,
        precondition: null,
        patch: { host: 'b' },
        author,
      });
      return restoreRevision(ports, { record: patched, number: 2, precondition: null, author });
    },
    'stale_version',
  ],
  'it is deleted': [
    (ports, record) => deleteRecord(ports, { record, precondition: null, author }),
    'not_found',
  ],
  'it is attached to another plugin': [
    (ports, record) => change(ports, record, { plugin: 9 }),
    'invalid_input',
  ],
  'its plugin is registered without the entry': [
    ({ plugins }) => plugins.register({ ...GEOIP, configSchema: FIELDS.slice(0, 1) }, new Map(), anAuthor()),
    'invalid_input',
  ],
};

for (const [name, [race, code]] of Object.entries(wins)) {
  test(`a write-back is rejected if ${name} meanwhile`, async (ports) => {
    const record = await aRecordWithToken(ports);
    const slower = { ...ports, records: competing(ports.records, () => race(ports, record)) };
    await expect(write(slower, record, { refresh: 'hunter2' })).rejects.toMatchObject({ code });
    expect(await valuesOf(ports, record)).toMatchObject({ refresh: 'hunter1' });
  });
}

const loses: Readonly<Record<string, Race>> = {
  'it is disabled': (ports, record) => change(ports, record, { enabled: false }),
  'it is renamed': (ports, record) => change(ports, record, { name: 'Other' }),
  'its plugin is registered again': ({ plugins }) =>
    plugins.register({ ...GEOIP, name: 'Other' }, new Map(), anAuthor()),
};

for (const [name, race] of Object.entries(loses)) {
  test(`a write-back is stored although ${name} meanwhile`, async (ports) => {
    const record = await aRecordWithToken(ports);
    const slower = { ...ports, records: competing(ports.records, () => race(ports, record)) };
    const written = await write(slower, record, { refresh: 'hunter2' });
    expect(await valuesOf(ports, record)).toEqual({ host: 'a', refresh: 'hunter2' });
    expect(written.version).toBe((await ports.configurations.version(record, null)).version);
  });
}

test('a change to another record is still news for the runtime that writes', async (ports) => {
  const record = await aRecordWithToken(ports);
  const known = await ports.configurations.version(record, null);
  await aRecord(ports, record, { plugin: 9, enabled: true });
  const written = await write(ports, record, { refresh: 'hunter2' });
  expect(written.previousVersion).not.toBe(known.version);
});

test('a key finds only the records of its projects and plugins', async (ports) => {
  const record = await aRecordWithToken(ports);
  const key = (projectIds: readonly number[], pluginIds: readonly number[]) => ({
    key: { projectIds, pluginIds },
  });
  for (const options of [key([record.projectId + 1], []), key([], [9])]) {
    await expect(write(ports, record, { refresh: 'hunter2' }, options)).rejects.toMatchObject({
      code: 'not_found',
    });
  }
  const other = { ...record, family: 'pipeline_transformation_configs' } as const;
  await expect(write(ports, other, { refresh: 'hunter2' })).rejects.toMatchObject({ code: 'not_found' });
  expect(await valuesOf(ports, record)).toMatchObject({ refresh: 'hunter1' });
  await write(ports, record, { refresh: 'hunter2' }, key([record.projectId], [7]));
  expect(await valuesOf(ports, record)).toMatchObject({ refresh: 'hunter2' });
});

test('a record of a deleted project is not found', async (ports) => {
  const record = await aRecordWithToken(ports);
  await ports.erasures.start(record.projectId, (await projectName(ports, record)) ?? '', anAuthor());
  await expect(write(ports, record, { refresh: 'hunter2' })).rejects.toMatchObject({ code: 'not_found' });
});

const projectName = async ({ projects }: Ports, { projectId }: ConfigRecord) =>
  (await projects.find(projectId))?.name;

test('a record stays marked as invalid unless the written value was all it lacked', async (ports) => {
  const record = await aRecordWithToken(ports);
  const isValid = async () =>
    (await ports.configurations.read(record)).records.find(({ id }) => id === record.id)?.valid;
  const register = (...more: readonly object[]) =>
    ports.plugins.register(
      { ...GEOIP, configSchema: [...FIELDS, ...more] as typeof GEOIP.configSchema },
      new Map(),
      anAuthor(),
    );
  await register({ key: 'region', type: 'string', required: true });
  expect(await isValid()).toBe(false);
  const first = await write(ports, await current(ports, record), { refresh: 'hunter2' });
  expect(await isValid()).toBe(false);
  expect(first.version).toBe((await ports.configurations.version(record, null)).version);
  await register({ key: 'id', type: 'string', secret: true, runtimeWritable: true, required: true });
  expect(await isValid()).toBe(false);
  const second = await write(ports, await current(ports, record), { id: 'hunter3' });
  expect(await isValid()).toBe(true);
  expect(second.version).toBe((await ports.configurations.version(record, null)).version);
});

test('a masked entry keeps what a runtime has written', async (ports) => {
  const record = await aRecordWithToken(ports);
  await write(ports, record, { refresh: 'hunter2' });
  const shown = JSON.parse((await current(ports, record)).config) as JsonObject;
  await setConfiguration(ports, {
    record: await current(ports, record),
    precondition: null,
    newConfig: { ...shown, host: 'b' },
    author,
  });
  expect(await valuesOf(ports, record)).toEqual({ host: 'b', refresh: 'hunter2' });
});

test('to a document, what runtimes write is neither drift nor a change', async (ports) => {
  const record = await aRecordWithToken(ports);
  const { projectId, family, id } = record;
  const { jsonSchemas } = ports;
  const dependencies = {
    ...ports,
    plan: (input: PlanInput) => planDeclaration({ jsonSchemas }, input),
    exportState: (input: ExportInput) => exportDeclaration({ jsonSchemas }, input),
    uuid: seededRandomness().uuid,
  };
  const records = [{ family, id, key: 'geoip' }];
  await adoptRecords(dependencies, { projectId, manager: 'team', records });
  const declaration = {
    manager: 'team',
    [family]: [
      { key: 'geoip', plugin: 7, enabled: true, config: { host: 'a', refresh: { $secret: 'TOKEN' } } },
    ],
  };
  const secrets = new Map([['TOKEN', 'hunter1']]);
  const plan = async () => (await makePlan(dependencies, { projectId, declaration, secrets })).report;
  const apply = (planned: string) =>
    applyDeclaration(dependencies, {
      projectId,
      declaration,
      secrets,
      base: parseBase(planned),
      maxDeletes: 0,
      author,
    });
  const { base: planned } = await plan();
  await write(ports, await current(ports, record), { refresh: 'hunter2' });
  expect(await ports.managed.drift(projectId, 'team')).toEqual([]);
  expect((await plan()).changes).toEqual([]);
  expect(await apply(planned)).toMatchObject({ kind: 'applied', value: { changes: [] } });
  expect(await valuesOf(ports, record)).toEqual({ host: 'a', refresh: 'hunter2' });

  // An edit is drift as before, and alone makes a plan out of date.
  const { base: stale } = await plan();
  const edited = await current(ports, record);
  await patchConfiguration(ports, { record: edited, precondition: null, patch: { host: 'b' }, author });
  await write(ports, await current(ports, record), { refresh: 'hunter3' });
  const edit = { id, fields: ['config.host'] };
  expect(await ports.managed.drift(projectId, 'team')).toMatchObject([edit]);
  expect(await apply(stale)).toMatchObject({ kind: 'stale', changed: [edit] });
});
