import {
  createRecord,
  pinRecord,
  registerVersion,
  runUpgrade,
  SERVICE_ACTOR,
  updateRecord,
  type Author,
  type ConfigRecord,
  type FamilyRef,
  type JsonObject,
  type PluginUpgrade,
  type PluginUpgradeStore,
  type Task,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin, aVersion } from '../builders/a-plugin.ts';
import { aRuntimeReport } from '../builders/a-runtime-report.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const author = anAuthor();
const PLUGIN = 7;
const FIRST = aVersion({
  version: '1',
  configSchema: [
    { key: 'server', type: 'string' },
    { key: 'level', type: 'number' },
  ],
});
const SECOND = aVersion({
  version: '2',
  schemaVersion: 2,
  configSchema: [{ key: 'host', type: 'string' }],
  migrations: [
    {
      from: 1,
      steps: [
        { map: { key: 'server', values: { a: 'a.example' } } },
        { rename: { from: 'server', to: 'host' } },
        { remove: 'level' },
      ],
    },
  ],
});
const OPTIONS = { force: false };
const NONE = { total: 0, done: 0, upgraded: 0, needsInput: 0, unsupported: 0, pinned: 0 };
/** More than a turn upgrades. */
const MANY = 130;

/** Upgrades of all records of a plugin, and what a worker does with them. */
export function pluginUpgradeStoreContract(test: TestWith<Ports>): void {
  test('an upgrade counts what became of each record', async (ports) => {
    const family = await aFamily(ports);
    const other = await aFamily(ports, 'pipeline_transformation_configs');
    await registerFirst(ports);
    const lossy = await create(ports, family, { server: 'a', level: 3 });
    const unknown = await create(ports, family, { server: 'unknown' });
    const clean = await create(ports, other, { server: 'a' });
    const pinned = await pin(ports, await create(ports, other, {}), '1');
    const deleted = await remove(ports, await create(ports, other, { server: 'a' }));
    await makeSecondCurrent(ports);
    await create(ports, family, { host: 'new' });
    const started = await start(ports);
    expect(started).toMatchObject({ state: 'running', schemaVersion: 2, progress: { ...NONE, total: 4 } });
    expect(await start(ports, { force: true })).toEqual(started);
    await runToEnd(ports);
    const ended = await ports.upgrades.find(PLUGIN, '2');
    expect(ended).toMatchObject({
      state: 'succeeded',
      progress: { total: 4, done: 4, upgraded: 2, needsInput: 1, unsupported: 0, pinned: 1 },
      finishedAt: expect.any(Date),
    });
    expect(await schemas(ports, [lossy, unknown, clean, pinned, deleted])).toEqual([2, 1, 2, 1, 1]);
    expect(JSON.parse((await current(ports, lossy)).config)).toEqual({ host: 'a.example' });
    expect(await auditOf(ports)).toEqual(['plugin_upgrade_started']);
    await start(ports);
    expect(await ports.upgrades.find(PLUGIN, '2')).toMatchObject({ progress: { ...NONE, total: 2 } });
  });

  test('a worker that dies within a turn leaves exact counts, and each record is migrated once', async (ports) => {
    const records = await manyOld(ports);
    await start(ports);
    const task = await claim(ports);
    const killed = { ...ports.upgrades, finish: () => Promise.reject(new Error('killed')) };
    await expect(runUpgrade(using(ports, killed), task)).rejects.toThrow('killed');
    expect(await ports.upgrades.find(PLUGIN, '2')).toMatchObject({ progress: { ...NONE, total: MANY } });
    await ports.tasks.settle(task, { dueInMs: 0 });
    const again = await claim(ports);
    const turn = await ports.upgrades.begin(task, author.at);
    const counts = { upgraded: 100, needsInput: 0, unsupported: 0, pinned: 0 };
    const late = turn && (await ports.upgrades.finish(turn, { counts, isCancelled: false, at: author.at }));
    expect(late).toBeNull();
    await runUpgrade(using(ports), again);
    await runToEnd(ports);
    expect(await ports.upgrades.find(PLUGIN, '2')).toMatchObject({
      state: 'succeeded',
      progress: { ...NONE, total: MANY, done: MANY, upgraded: MANY },
    });
    for (const record of records) {
      expect(await current(ports, record)).toMatchObject({ schemaVersion: 2, version: record.version + 1 });
      expect((await ports.revisions.page(record, WHOLE)).count).toBe(2);
    }
  });

  test('a cancelled upgrade ends after its turn, and can be started again', async (ports) => {
    const records = await manyOld(ports);
    await start(ports);
    const turn = await ports.upgrades.begin(await claim(ports), author.at);
    const cancelled = await ports.upgrades.cancel(PLUGIN, '2', author);
    expect(cancelled).toMatchObject({ state: 'cancelled', finishedAt: author.at });
    const counts = { upgraded: 99, needsInput: 1, unsupported: 0, pinned: 0 };
    const end = { counts, isCancelled: false, at: secondsLater(1) };
    expect(turn && (await ports.upgrades.finish(turn, end))).toMatchObject({
      state: 'cancelled',
      progress: { ...counts, total: MANY, done: 100 },
      finishedAt: author.at,
    });
    expect(await ports.tasks.claim('upgrade', { limit: 1, exceptTenants: [] })).toEqual([]);
    expect(await ports.upgrades.cancel(PLUGIN, '2', author)).toMatchObject({ state: 'cancelled' });
    expect(await auditOf(ports)).toEqual(['plugin_upgrade_cancelled', 'plugin_upgrade_started']);
    await start(ports);
    await runToEnd(ports);
    expect(await schemas(ports, records)).toEqual(records.map(() => 2));
  });

  test('records that change meanwhile are migrated from what they are, those that are gone are skipped', async (ports) => {
    const family = await aFamily(ports);
    await registerFirst(ports);
    const changed = await create(ports, family, { server: 'a' });
    const pinned = await create(ports, family, { server: 'a' });
    const removed = await create(ports, family, { server: 'a' });
    const moved = await create(ports, family, { server: 'a' });
    const erased = await create(ports, await aFamily(ports), { server: 'a' });
    await makeSecondCurrent(ports);
    await ports.plugins.register(aPlugin({ id: 8 }), new Map(), author);
    await start(ports);
    await update(ports, changed, { name: 'Renamed' });
    await pin(ports, pinned, '1');
    await remove(ports, removed);
    await update(ports, moved, { plugin: 8 });
    await ports.erasures.start(erased.projectId, 'Project', author);
    await runToEnd(ports);
    expect(await ports.upgrades.find(PLUGIN, '2')).toMatchObject({
      state: 'succeeded',
      progress: { ...NONE, total: 5, done: 5, upgraded: 1, pinned: 1 },
    });
    expect(await current(ports, changed)).toMatchObject({ name: 'Renamed', schemaVersion: 2 });
    expect(await schemas(ports, [pinned, removed, moved])).toEqual([1, 1, 1]);
  });

  test('records of runtimes that do not understand the schema stay as they are, unless it is forced', async (ports) => {
    const family = await aFamily(ports);
    await registerFirst(ports);
    const held = await create(ports, family, { server: 'a' });
    const free = await create(ports, await aFamily(ports), { server: 'a' });
    await makeSecondCurrent(ports);
    const report = aRuntimeReport({ plugins: { [PLUGIN]: { version: '1', schemas: [1] } } });
    await ports.runtimes.report({ family, instance: 'shop-1', report, at: author.at });
    await start(ports);
    await runToEnd(ports);
    expect(await ports.upgrades.find(PLUGIN, '2')).toMatchObject({
      progress: { ...NONE, total: 2, done: 2, upgraded: 1, unsupported: 1 },
    });
    expect(await schemas(ports, [held, free])).toEqual([1, 2]);
    await start(ports, { force: true });
    await runToEnd(ports);
    expect(await schemas(ports, [held, free])).toEqual([2, 2]);
  });

  test('records that reach a version that is not current are pinned to it', async (ports) => {
    const family = await aFamily(ports);
    await registerFirst(ports);
    const record = await create(ports, family, { server: 'a' });
    await registerVersion(ports, PLUGIN, SECOND, author);
    await start(ports);
    await runToEnd(ports);
    expect(await current(ports, record)).toMatchObject({ schemaVersion: 2, pinnedVersion: '2' });
    expect(await start(ports)).toMatchObject({ state: 'succeeded', progress: NONE });
  });

  test('there is no upgrade to a version that is missing or withdrawn, and one that is withdrawn ends it', async (ports) => {
    expect(await ports.upgrades.start(PLUGIN, '2', OPTIONS, author)).toBeNull();
    const records = await manyOld(ports);
    expect(await ports.upgrades.start(PLUGIN, '3', OPTIONS, author)).toBeNull();
    expect(await ports.upgrades.find(PLUGIN, '2')).toBeNull();
    expect(await ports.upgrades.cancel(PLUGIN, '2', author)).toBeNull();
    await start(ports);
    await ports.pluginVersions.change(PLUGIN, '1', { state: 'current' }, author);
    await ports.pluginVersions.change(PLUGIN, '2', { state: 'withdrawn' }, author);
    await runToEnd(ports);
    expect(await ports.upgrades.find(PLUGIN, '2')).toMatchObject({ state: 'cancelled' });
    expect(await schemas(ports, records)).toEqual(records.map(() => 1));
    await expect(start(ports)).rejects.toMatchObject({ code: 'invalid_input', attr: 'version' });
  });

  test('an upgrade ends when the key that started it is revoked', async (ports) => {
    await manyOld(ports);
    const { id: keyId } = await ports.keys.add(anApiKey(), author);
    await start(ports, OPTIONS, anAuthor({ actor: { keyId, label: 'deploy script' } }));
    await ports.keys.revoke(keyId, null, author);
    await runToEnd(ports);
    expect(await ports.upgrades.find(PLUGIN, '2')).toMatchObject({
      state: 'cancelled',
      progress: { ...NONE, total: MANY },
    });
  });

  test('an upgrade whose key is revoked within a turn ends with it', async (ports) => {
    await manyOld(ports);
    const { id: keyId } = await ports.keys.add(anApiKey(), author);
    await start(ports, OPTIONS, anAuthor({ actor: { keyId, label: 'deploy script' } }));
    const revoking: PluginUpgradeStore = {
      ...ports.upgrades,
      begin: async (task, at) => {
        const turn = await ports.upgrades.begin(task, at);
        await ports.keys.revoke(keyId, null, author);
        return turn;
      },
    };
    expect(await runUpgrade(using(ports, revoking), await claim(ports))).toMatchObject({
      state: 'cancelled',
      progress: { ...NONE, total: MANY, done: 100 },
    });
  });

  test('when the deadline of a version has passed, the service upgrades what loses nothing', async (ports) => {
    const family = await aFamily(ports);
    await registerFirst(ports);
    const clean = await create(ports, family, { server: 'a' });
    const lossy = await create(ports, family, { server: 'a', level: 3 });
    const pinned = await pin(ports, await create(ports, family, { server: 'a' }), '1');
    await makeSecondCurrent(ports);
    const upgradeBy = secondsLater(60);
    await ports.pluginVersions.change(PLUGIN, '1', { state: 'deprecated', upgradeBy }, author);
    const overdueAt = async (seconds: number): Promise<PluginUpgrade | null> => {
      await ports.upgrades.startOverdue({ actor: SERVICE_ACTOR, requestId: null, at: secondsLater(seconds) });
      return ports.upgrades.find(PLUGIN, '2');
    };
    expect(await overdueAt(59)).toBeNull();
    expect(await overdueAt(61)).toMatchObject({ actor: SERVICE_ACTOR, overdueSchema: 1, state: 'running' });
    await runToEnd(ports);
    expect(await overdueAt(120)).toMatchObject({
      state: 'succeeded',
      progress: { ...NONE, total: 2, done: 2, upgraded: 1, needsInput: 1 },
      startedAt: secondsLater(61),
    });
    expect(await schemas(ports, [clean, lossy, pinned])).toEqual([2, 1, 1]);
    expect(await overdueAt(61 + 3600)).toMatchObject({ progress: { ...NONE, total: 1 } });
    expect(await auditOf(ports)).toEqual(['plugin_upgrade_started']);
  });
}

const WHOLE = { limit: 1000, offset: 0 };

async function registerFirst(ports: Ports): Promise<void> {
  await ports.plugins.register(aPlugin({ id: PLUGIN }), new Map(), author);
  await registerVersion(ports, PLUGIN, FIRST, author);
}

async function makeSecondCurrent(ports: Ports): Promise<void> {
  await registerVersion(ports, PLUGIN, SECOND, author);
  await ports.pluginVersions.change(PLUGIN, '2', { state: 'current' }, author);
}

/** Creates more records than a turn upgrades. Then the second version becomes current. */
async function manyOld(ports: Ports): Promise<readonly ConfigRecord[]> {
  const family = await aFamily(ports);
  await registerFirst(ports);
  const creations = Array.from({ length: MANY }, () => create(ports, family, { server: 'a' }));
  const records = await Promise.all(creations);
  await makeSecondCurrent(ports);
  return records;
}

async function start(ports: Ports, options = OPTIONS, by: Author = author): Promise<PluginUpgrade> {
  const started = await ports.upgrades.start(PLUGIN, '2', options, by);
  if (started === null) throw new Error('There is no such version.');
  return started;
}

function using(ports: Ports, upgrades: PluginUpgradeStore = ports.upgrades) {
  return { ...ports, upgrades, clock: { now: () => author.at } };
}

async function claim({ tasks }: Ports): Promise<Task> {
  await tasks.wake();
  const [task] = await tasks.claim('upgrade', { limit: 1, exceptTenants: [] });
  if (task === undefined) throw new Error('No task is due.');
  return task;
}

/** Runs turns, as a worker does, until there are no more. */
async function runToEnd(ports: Ports): Promise<void> {
  for (;;) {
    await ports.tasks.wake();
    const [task] = await ports.tasks.claim('upgrade', { limit: 1, exceptTenants: [] });
    if (task === undefined) return;
    await runUpgrade(using(ports), task);
  }
}

function create(ports: Ports, family: FamilyRef, config: JsonObject): Promise<ConfigRecord> {
  const fields = { plugin: PLUGIN, enabled: true };
  return createRecord({ ...ports, requireRegistered: false }, { family, fields, config, author });
}

function update(
  ports: Ports,
  record: ConfigRecord,
  change: Parameters<typeof updateRecord>[1]['change'],
): Promise<ConfigRecord> {
  const dependencies = { ...ports, requireRegistered: false };
  return updateRecord(dependencies, { record, change, precondition: null, author });
}

function remove(ports: Ports, record: ConfigRecord): Promise<ConfigRecord> {
  return update(ports, record, { deleted: true });
}

function pin(ports: Ports, record: ConfigRecord, version: string): Promise<ConfigRecord> {
  return pinRecord(ports, { record, version, precondition: null, author });
}

async function current({ records }: Ports, record: ConfigRecord): Promise<ConfigRecord> {
  const { value } = await records.find(record);
  if (value === null) throw new Error('The record is gone.');
  return value;
}

function schemas(ports: Ports, records: readonly ConfigRecord[]): Promise<readonly number[]> {
  return Promise.all(records.map(async (record) => (await current(ports, record)).schemaVersion));
}

/** Returns the audit entries about upgrades, the last one first. */
async function auditOf({ audit }: Ports): Promise<readonly string[]> {
  const { items } = await audit.page(WHOLE);
  return items.map(({ action }) => action).filter((action) => action.startsWith('plugin_upgrade'));
}
