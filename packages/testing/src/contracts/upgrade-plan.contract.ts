import {
  createRecord,
  deleteRecord,
  pinRecord,
  planUpgrade,
  registerVersion,
  type ConfigRecord,
  type FamilyRef,
  type JsonObject,
  type UpgradePlan,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin, aVersion } from '../builders/a-plugin.ts';
import { aRuntimeReport } from '../builders/a-runtime-report.ts';
import { anAuthor } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const author = anAuthor();
const PLUGIN = 7;
const FIRST = aVersion({
  version: '1',
  configSchema: [
    { key: 'server', type: 'string' },
    { key: 'host', type: 'string' },
    { key: 'token', type: 'string', secret: true },
  ],
});
const SECOND = aVersion({
  version: '2',
  schemaVersion: 2,
  configSchema: [
    { key: 'host', type: 'string', required: true },
    { key: 'token', type: 'string', secret: true },
  ],
  migrations: [{ from: 1, steps: [{ rename: { from: 'server', to: 'host' } }] }],
});

/** A plan judges the records of a plugin in all projects. */
export function upgradePlanContract(test: TestWith<Ports>): void {
  test('a plan counts each live record once, and names those that are not clean', async (ports) => {
    await register(ports);
    const [one, two, gone] = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    await create(ports, one, { server: 'a', token: 'hunter2' });
    const lossy = await create(ports, one, { server: 'hunter2', host: 'a' });
    const lacking = await create(ports, one, {});
    const pinned = await create(ports, one, { server: 'a' });
    await pinRecord(ports, { record: pinned, version: '1', precondition: null, author });
    const deleted = await create(ports, one, {});
    await deleteRecord(
      { ...ports, requireRegistered: false },
      { record: deleted, precondition: null, author },
    );
    const unsupported = await create(ports, two, {});
    const report = aRuntimeReport({ plugins: { [PLUGIN]: { version: '1', schemas: [1] } } });
    await ports.runtimes.report({ family: two, instance: 'shop-1', report, at: author.at });
    await create(ports, gone, {});
    await ports.erasures.start(gone.projectId, 'Project', author);
    await ports.pluginVersions.change(PLUGIN, '2', { state: 'current' }, author);
    await create(ports, two, { host: 'a' });

    const { records, ...counts } = await plan(ports, '2');
    expect(counts).toEqual({
      version: '2',
      schemaVersion: 2,
      total: 6,
      judged: 6,
      up_to_date: 1,
      clean: 1,
      lossy: 1,
      needs_input: 1,
      unsupported: 1,
      pinned: 1,
    });
    const lacksHost = [{ attr: 'host', detail: 'This field is required.' }];
    const shown = (record: ConfigRecord, found: object) => ({
      project: { id: record.projectId, externalId: null, name: 'Project' },
      family: record.family,
      id: record.id,
      name: `Plugin ${record.id}`,
      enabled: true,
      schemaVersion: 1,
      pluginVersion: null,
      lacks: [],
      lost: [],
      runtimes: [],
      ...found,
    });
    expect(records).toEqual([
      shown(lossy, { status: 'lossy', lost: ['host'] }),
      shown(lacking, { status: 'needs_input', lacks: lacksHost }),
      shown(pinned, { status: 'pinned', pluginVersion: '1' }),
      shown(unsupported, { status: 'unsupported', lacks: lacksHost, runtimes: ['shop-1'] }),
    ]);
    expect(JSON.stringify(records)).not.toContain('hunter2');
    expect(await plan(ports, '1')).toMatchObject({ up_to_date: 5, needs_input: 1, pinned: 0 });
  });

  test('a plan names the first hundred records, of many more', async (ports) => {
    await register(ports);
    const family = await aFamily(ports);
    const created = await Promise.all(Array.from({ length: 205 }, () => create(ports, family, {})));
    const ids = created.map(({ id }) => id).toSorted((a, b) => a - b);
    const { records, ...counts } = await plan(ports, '2');
    expect(counts).toMatchObject({ total: 205, judged: 205, needs_input: 205 });
    expect(records.map(({ id }) => id)).toEqual(ids.slice(0, 100));
  });

  test('only a version that can be chosen has a plan', async (ports) => {
    await expect(plan(ports, '2')).rejects.toMatchObject({ code: 'not_found' });
    await register(ports);
    await expect(plan(ports, '3')).rejects.toMatchObject({ code: 'not_found' });
    await ports.pluginVersions.change(PLUGIN, '2', { state: 'withdrawn' }, author);
    await expect(plan(ports, '2')).rejects.toMatchObject({ code: 'invalid_input', attr: 'version' });
  });
}

function plan(ports: Ports, version: string): Promise<UpgradePlan> {
  return planUpgrade(ports, { plugin: PLUGIN, version, at: author.at });
}

/** Registers two versions, of which the first is current. */
async function register(ports: Ports): Promise<void> {
  await ports.plugins.register(aPlugin({ id: PLUGIN }), new Map(), author);
  await registerVersion(ports, PLUGIN, FIRST, author);
  await registerVersion(ports, PLUGIN, SECOND, author);
}

function create(ports: Ports, family: FamilyRef, config: JsonObject): Promise<ConfigRecord> {
  const dependencies = { ...ports, requireRegistered: false };
  return createRecord(dependencies, { family, fields: { plugin: PLUGIN, enabled: true }, config, author });
}
