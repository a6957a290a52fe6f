import {
  EVERY_PROJECT,
  FAMILIES,
  updateRecord,
  type ChangedProjects,
  type ConfigRecord,
  type FamilyRef,
  type FeedFilter,
  type FeedPosition,
  type FeedQuery,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const author = anAuthor();

interface Tenant {
  readonly family: FamilyRef;
  readonly record: ConfigRecord;
}

async function aTenant(ports: Ports, plugin = 7): Promise<Tenant> {
  const family = await aFamily(ports);
  return { family, record: await aRecord(ports, family, { plugin, enabled: true }) };
}

const queryOf = (filter: Partial<FeedFilter> = {}, page: Partial<FeedQuery> = {}): FeedQuery => ({
  family: 'plugin_configs',
  filter: { ...EVERY_PROJECT, ...filter },
  after: 0,
  limit: 10,
  ...page,
});

const idsIn = ({ projects }: ChangedProjects) => projects.map(({ projectId }) => projectId);

async function now({ feed }: Ports): Promise<FeedPosition> {
  return (await feed.all(queryOf())).at;
}

/** Returns the projects that a change adds to the feed. */
async function foundAfter(ports: Ports, change: () => Promise<unknown>, filter: Partial<FeedFilter> = {}) {
  const before = await now(ports);
  await change();
  return idsIn(await ports.feed.since(before, queryOf(filter)));
}

export function projectFeedContract(test: TestWith<Ports>): void {
  test('the feed begins with the projects of the family that have an enabled record', async (ports) => {
    for (const name of FAMILIES) {
      const [enabled, disabled] = [await aFamily(ports, name), await aFamily(ports, name)];
      await aRecord(ports, enabled, { enabled: true });
      await aRecord(ports, disabled);
      const { projects, isComplete } = await ports.feed.all(queryOf({}, { family: name }));
      expect([isComplete, projects]).toEqual([
        true,
        [expect.objectContaining({ projectId: enabled.projectId, externalId: null, lostBy: null })],
      ]);
    }
  });

  test('each kind of change to the records of a project is found, and none to what its runtimes do not get', async (ports) => {
    const { family, record } = await aTenant(ports);
    await aTenant(ports);
    const dependencies = { ...ports, requireRegistered: false };
    const update = (change: object) => async () => {
      const { value: current } = await ports.records.find({ ...family, id: record.id });
      return updateRecord(dependencies, { record: current ?? record, precondition: null, change, author });
    };
    const changes = [
      update({ name: 'Renamed' }),
      update({ enabled: false }),
      () => aRecord(ports, family, { enabled: true }),
      () => ports.projects.change(family.projectId, { externalId: 'acme' }, author),
    ];
    for (const change of changes) expect(await foundAfter(ports, change)).toEqual([family.projectId]);
    const rename = () => ports.projects.change(family.projectId, { name: 'Other' }, author);
    expect(await foundAfter(ports, rename)).toEqual([]);
  });

  test('a position is that of the read: nothing before it comes again, and everything after it does', async (ports) => {
    const [first, second] = [await aTenant(ports), await aTenant(ports)];
    const start = await now(ports);
    await aRecord(ports, first.family);
    const found = await ports.feed.since(start, queryOf());
    await aRecord(ports, second.family);
    expect(idsIn(found)).toEqual([first.family.projectId]);
    expect(idsIn(await ports.feed.since(found.at, queryOf()))).toEqual([second.family.projectId]);
    const both = [first.family.projectId, second.family.projectId];
    expect(idsIn(await ports.feed.since(start, queryOf()))).toEqual(both);
  });

  test('a registration changes the projects with an enabled record of the plugin, once', async (ports) => {
    const { family } = await aTenant(ports, 8);
    await aTenant(ports, 9);
    await aRecord(ports, await aFamily(ports), { plugin: 8 });
    const before = await now(ports);
    await ports.plugins.register(aPlugin({ id: 8, name: 'New' }), new Map(), author);
    const found = await ports.feed.since(before, queryOf());
    expect(idsIn(found)).toEqual([family.projectId]);
    expect(found.projects[0]?.registryVersion).toBe(found.at.registryVersion);
    expect(idsIn(await ports.feed.since(found.at, queryOf()))).toEqual([]);
  });

  test('pages are in the order of the projects, and filters apply to each', async (ports) => {
    const tenants = [await aTenant(ports), await aTenant(ports), await aTenant(ports, 8)];
    const [a = 0, b = 0, c = 0] = tenants.map(({ family }) => family.projectId);
    const start = await now(ports);
    for (const { family } of tenants.toReversed()) await aRecord(ports, family);
    const reads = [
      ports.feed.all.bind(ports.feed),
      (query: FeedQuery) => ports.feed.since(start, query),
    ] as const;
    for (const read of reads) {
      const first = await read(queryOf({}, { limit: 2 }));
      expect([idsIn(first), first.isComplete]).toEqual([[a, b], false]);
      const second = await read(queryOf({}, { after: b, limit: 2 }));
      expect([idsIn(second), second.isComplete]).toEqual([[c], true]);
      expect(idsIn(await read(queryOf({ key: { id: 1, projectIds: [b] } })))).toEqual([b]);
      expect(idsIn(await read(queryOf({ shard: { index: a % 2, of: 2 } })))).toEqual([a, c]);
      expect(idsIn(await read(queryOf({ plugins: [8] })))).toEqual([c]);
      expect(idsIn(await read(queryOf({ plugins: [4711] })))).toEqual([]);
    }
  });

  test('a record that moves to another plugin changes the feeds of both', async (ports) => {
    const { family, record } = await aTenant(ports);
    const move = () =>
      updateRecord(
        { ...ports, requireRegistered: false },
        { record, precondition: null, change: { plugin: 8 }, author },
      );
    const before = await now(ports);
    await move();
    for (const plugin of [7, 8])
      expect(idsIn(await ports.feed.since(before, queryOf({ plugins: [plugin] })))).toEqual([
        family.projectId,
      ]);
  });

  test('a deleted project is gone, without its external id once it is erased, for those who could read it', async (ports) => {
    const { family } = await aTenant(ports);
    const { projectId } = family;
    const project = await ports.projects.change(projectId, { externalId: 'acme' }, author);
    const before = await now(ports);
    await ports.erasures.start(projectId, project?.name ?? '', author);
    const goneFor = async (filter: Partial<FeedFilter>) =>
      (await ports.feed.since(before, queryOf(filter))).projects.map((one) => [
        one.projectId,
        one.externalId,
        one.lostBy,
      ]);
    expect(await goneFor({})).toEqual([[projectId, 'acme', []]]);
    expect(await goneFor({ key: { id: 404, projectIds: [404] } })).toEqual([]);
    expect(idsIn(await ports.feed.all(queryOf()))).toEqual([]);
    await ports.eraser.finish(projectId);
    expect(await goneFor({})).toEqual([[projectId, null, []]]);
  });

  test('the project of a live record is found, for keys that can read it', async (ports) => {
    const { family, record } = await aTenant(ports);
    const { projectId } = family;
    const projectFor = (
      key: { projectIds?: readonly number[]; pluginIds?: readonly number[] },
      id = record.id,
    ) => ports.feed.projectOf('plugin_configs', id, { projectIds: [], pluginIds: [], ...key });
    const found = [
      await projectFor({}),
      await projectFor({ projectIds: [projectId, 404] }),
      await projectFor({ pluginIds: [7, 8] }),
      await projectFor({ projectIds: [404] }),
      await projectFor({ pluginIds: [8] }),
      await projectFor({}, Number.MAX_SAFE_INTEGER),
    ];
    expect(found).toEqual([projectId, projectId, projectId, null, null, null]);
    const [, other = 'plugin_configs'] = FAMILIES;
    expect(await ports.feed.projectOf(other, record.id, { projectIds: [], pluginIds: [] })).toBeNull();
    await ports.erasures.start(projectId, 'Project', author);
    expect(await projectFor({})).toBeNull();
  });
}
