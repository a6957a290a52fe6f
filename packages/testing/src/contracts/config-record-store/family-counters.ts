import type { ConfigRecord, Values } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../../builders/a-family.ts';
import { aJob } from '../../builders/a-job.ts';
import { aPlugin } from '../../builders/a-plugin.ts';
import { aRecord, aRecordDraft } from '../../builders/a-record.ts';
import { aRecordWrite } from '../../builders/a-record-write.ts';
import { aKeyHash, anApiKey } from '../../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../../builders/an-author.ts';
import type { Ports } from '../../ports.ts';
import type { TestWith } from '../../test-with.ts';
import { countersOf } from '../read-state.ts';

type Work = (ports: Ports, record: ConfigRecord) => Promise<unknown>;

const NO_SECRETS: Values = new Map();

const CHANGES_OF_RECORDS: Readonly<Record<string, Work>> = {
  'creating a record': (ports, record) => aRecord(ports, record),
  'saving a change': ({ records }, record) => records.save(aRecordWrite(record, { name: 'New' })),
  'moving a record': ({ records }, record) =>
    records.lock(record, ({ move }) => move([{ id: record.id, order: 9 }], anAuthor())),
};

const CHANGES_OF_JOBS: Readonly<Record<string, Work>> = {
  'queueing a job': ({ jobs }, record) => jobs.queue(aJob(record), null),
};

const NO_CHANGES: Readonly<Record<string, Work>> = {
  'a change based on an outdated version': ({ records }, record) =>
    records.save(aRecordWrite({ ...record, version: record.version + 7 }, { name: 'New' })),
  'a creation that is rejected': (ports, record) =>
    rejected(
      ports.records.create(record, aRecordDraft({ plugin: 4711 }), {
        author: anAuthor(),
        requireRegistered: true,
      }),
    ),
  'a locked family that moves nothing': ({ records }, record) =>
    records.lock(record, ({ move }) => move([], anAuthor())),
  'a locked family that is only read': ({ records }, record) =>
    records.lock(record, (locked) => locked.record(record.id)),
  'a locked family that throws': ({ records }, record) =>
    rejected(
      records.lock(record, async ({ move }) => {
        await move([{ id: record.id, order: 9 }], anAuthor());
        throw new Error('changed its mind');
      }),
    ),
  'a job that is rejected': ({ jobs }, record) => rejected(jobs.queue(aJob(record), [])),
  'registering the plugin': ({ plugins }, { plugin: id }) =>
    plugins.register(aPlugin({ id, name: 'Renamed' }), NO_SECRETS, anAuthor()),
  'removing the plugin': ({ plugins }) => plugins.remove(1, anAuthor()),
  'registering another plugin': ({ plugins }) => plugins.register(aPlugin({ id: 2 }), NO_SECRETS, anAuthor()),
  'removing a plugin that is not registered': ({ plugins }) => plugins.remove(4711, anAuthor()),
  'adding, using and revoking a key': async ({ keys }) => {
    const { id } = await keys.add(anApiKey({ hash: aKeyHash(5) }), anAuthor());
    await keys.touch(new Map([[id, secondsLater(1)]]));
    await keys.revoke(id, null, anAuthor({ at: secondsLater(2) }));
  },
  'a new project': ({ projects }) => projects.create({ name: 'Another' }, anAuthor()),
  reading: async ({ records, activity }, record) => {
    await records.find(record);
    await activity.page(record, { limit: 1, offset: 0 });
  },
};

/** When the family version and the list version are bumped. */
export function familyCountersContract(test: TestWith<Ports>): void {
  for (const [name, work] of Object.entries(CHANGES_OF_RECORDS)) {
    test(`${name} bumps the family version and the list version`, async (ports) => {
      const { before, after } = await around(ports, work);
      expect(after.familyVersion).toBeGreaterThan(before.familyVersion);
      expect(after.listVersion).toBeGreaterThan(before.listVersion);
    });
  }

  for (const [name, work] of Object.entries(CHANGES_OF_JOBS)) {
    test(`${name} bumps the family version, but not the list version`, async (ports) => {
      const { before, after } = await around(ports, work);
      expect(after.familyVersion).toBeGreaterThan(before.familyVersion);
      expect(after.listVersion).toBe(before.listVersion);
    });
  }

  for (const [name, work] of Object.entries(NO_CHANGES)) {
    test(`${name} bumps neither the family version nor the list version`, async (ports) => {
      const { before, after } = await around(ports, work);
      expect(after).toEqual(before);
    });
  }

  for (const [name, work] of Object.entries({ ...CHANGES_OF_RECORDS, ...CHANGES_OF_JOBS })) {
    test(`${name} bumps nothing in other families and projects`, async (ports) => {
      const family = await aFamily(ports);
      const others = [
        { ...family, family: 'pipeline_transformation_configs' } as const,
        await aFamily(ports),
      ];
      const record = await aRecord(ports, family);
      const before = await Promise.all(others.map((other) => countersOf(ports, other)));
      await work(ports, record);
      expect(await Promise.all(others.map((other) => countersOf(ports, other)))).toEqual(before);
    });
  }

  test('the family version is the same in every response', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const { familyVersion } = await countersOf(ports, family);
    expect((await ports.records.find(record)).familyVersion).toBe(familyVersion);
    expect((await ports.records.find({ ...family, id: 4711 })).familyVersion).toBe(familyVersion);
    const { projectId: project } = family;
    const result = await ports.probe.read({
      keyHash: aKeyHash(99),
      project,
      family: family.family,
      recordId: null,
    });
    expect(result.familyVersion).toBe(familyVersion);
  });
}

async function around(ports: Ports, work: Work) {
  await ports.plugins.register(aPlugin({ id: 1 }), NO_SECRETS, anAuthor());
  const family = await aFamily(ports);
  const record = await aRecord(ports, family, { plugin: 1 });
  const before = await countersOf(ports, family);
  await work(ports, record);
  return { before, after: await countersOf(ports, family) };
}

function rejected(work: Promise<unknown>): Promise<void> {
  return expect(work).rejects.toThrow();
}
