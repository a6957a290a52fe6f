import type { AccessResult, AccessProbe, AccessQuery } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aKeyHash, anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const NOBODY = aKeyHash(99);

export function accessProbeContract(test: TestWith<Ports>): void {
  test('an unknown hash has no key', async ({ probe, keys }) => {
    await keys.add(anApiKey({ hash: aKeyHash(1) }), anAuthor());
    expect(await runQuery(probe, {})).toMatchObject({ key: null });
  });

  test('a key is returned with its grant', async ({ probe, keys, projects }) => {
    const project = await projects.create({ name: 'One' }, anAuthor());
    const added = await keys.add(
      anApiKey({
        scopes: ['plugin:write', 'plugin_log:write'],
        projectIds: [project.id],
        expiresAt: secondsLater(60),
      }),
      anAuthor(),
    );
    const { id, label, scopes, projectIds, expiresAt } = added;
    const { key } = await runQuery(probe, { keyHash: aKeyHash(1) });
    expect(key).toMatchObject({ id, label, scopes, projectIds, expiresAt, revokedAt: null });
  });

  test('keys are found by id in any state, and missing ones are absent', async ({ probe, keys }) => {
    const one = await keys.add(anApiKey({ hash: aKeyHash(1) }), anAuthor());
    const two = await keys.add(anApiKey({ hash: aKeyHash(2), expiresAt: secondsLater(1) }), anAuthor());
    await keys.revoke(one.id, null, anAuthor({ at: secondsLater(1) }));
    const { id, accountId, label, scopes, projectIds, pluginIds, expiresAt } = two;
    const found = await probe.grants([one.id, two.id, 4711]);
    expect([...found.keys()].toSorted((a, b) => a - b)).toEqual([one.id, two.id]);
    expect(found.get(one.id)).toMatchObject({ id: one.id, revokedAt: secondsLater(1) });
    expect(found.get(two.id)).toEqual({
      id,
      accountId,
      label,
      scopes,
      projectIds,
      pluginIds,
      expiresAt,
      revokedAt: null,
    });
    expect(await probe.grants([])).toEqual(new Map());
  });

  test('an expired key is also returned, because the domain decides about it', async ({ probe, keys }) => {
    const expiresAt = new Date('2001-01-01T00:00:00.000Z');
    await keys.add(anApiKey({ expiresAt }), anAuthor());
    expect(await runQuery(probe, { keyHash: aKeyHash(1) })).toMatchObject({ key: { expiresAt } });
  });

  test('a revoked key is reported as revoked from the next query on', async ({ probe, keys }) => {
    const { id } = await keys.add(anApiKey(), anAuthor());
    expect(await runQuery(probe, { keyHash: aKeyHash(1) })).toMatchObject({ key: { revokedAt: null } });
    await keys.revoke(id, null, anAuthor({ at: secondsLater(1) }));
    expect(await runQuery(probe, { keyHash: aKeyHash(1) })).toMatchObject({
      key: { id, revokedAt: secondsLater(1) },
    });
  });

  test('an existing project is returned even if the key may not access it', async ({
    probe,
    keys,
    projects,
  }) => {
    const one = await projects.create({ name: 'One' }, anAuthor());
    const two = await projects.create({ name: 'Two' }, anAuthor());
    await keys.add(anApiKey({ projectIds: [one.id] }), anAuthor());
    const projectId = async (project: number | null) =>
      (await runQuery(probe, { keyHash: aKeyHash(1), project })).projectId;
    expect(await projectId(one.id)).toBe(one.id);
    expect(await projectId(two.id)).toBe(two.id);
    expect(await projectId(two.id + 1)).toBeNull();
    expect(await projectId(Number.MAX_SAFE_INTEGER)).toBeNull();
    expect(await projectId(null)).toBeNull();
  });

  test('the current project is the accessible project with the lowest id', async ({
    probe,
    keys,
    projects,
  }) => {
    const [first, second, third] = [
      await projects.create({ name: 'One' }, anAuthor()),
      await projects.create({ name: 'Two' }, anAuthor()),
      await projects.create({ name: 'Three' }, anAuthor()),
    ];
    await keys.add(anApiKey({ hash: aKeyHash(1), projectIds: [] }), anAuthor());
    await keys.add(anApiKey({ hash: aKeyHash(2), projectIds: [third.id, second.id] }), anAuthor());
    await keys.add(anApiKey({ hash: aKeyHash(3), projectIds: [third.id] }), anAuthor());
    const current = async (n: number) =>
      (await runQuery(probe, { keyHash: aKeyHash(n), project: 'current' })).projectId;
    expect(await current(1)).toBe(first.id);
    expect(await current(2)).toBe(second.id);
    expect(await current(3)).toBe(third.id);
  });

  test('the current project is missing if there is no project', async ({ probe, keys }) => {
    await keys.add(anApiKey(), anAuthor());
    const result = await runQuery(probe, {
      keyHash: aKeyHash(1),
      project: 'current',
      family: 'plugin_configs',
      recordId: 1,
    });
    expect(result).toMatchObject({ projectId: null, record: null });
  });

  test('a record is returned in its stored state, even if it is deleted', async (ports) => {
    const family = await aFamily(ports);
    const live = await aRecord(ports, family, { name: 'Live 🟢' });
    const deleted = await aRecord(ports, family, { deleted: true });
    for (const { id } of [live, deleted]) {
      const found = await ports.records.find({ ...family, id });
      const { record, familyVersion } = await queryAbout(ports.probe, family, id);
      expect(record).toEqual(found.value);
      expect(familyVersion).toBe(found.familyVersion);
    }
  });

  test('a record is found in the current project', async (ports) => {
    await aFamily(ports);
    const family = await aFamily(ports);
    const { id } = await aRecord(ports, family);
    await ports.keys.add(anApiKey({ projectIds: [family.projectId] }), anAuthor());
    const result = await runQuery(ports.probe, {
      keyHash: aKeyHash(1),
      project: 'current',
      family: family.family,
      recordId: id,
    });
    expect(result).toMatchObject({ projectId: family.projectId, record: { id } });
  });

  test('a record is found only under its own project and family', async (ports) => {
    const family = await aFamily(ports);
    const elsewhere = await aFamily(ports);
    const { id } = await aRecord(ports, family);
    const recordUnder = async (where: typeof family, recordId: number) =>
      (await queryAbout(ports.probe, where, recordId)).record;
    expect(await recordUnder(elsewhere, id)).toBeNull();
    expect(await recordUnder({ ...family, family: 'pipeline_transformation_configs' }, id)).toBeNull();
    expect(await recordUnder(family, id + 1)).toBeNull();
    expect(await recordUnder(family, Number.MAX_SAFE_INTEGER)).toBeNull();
  });

  test('no record is returned unless the query names one', async (ports) => {
    const family = await aFamily(ports);
    await aRecord(ports, family);
    expect(await queryAbout(ports.probe, family, null)).toMatchObject({ record: null });
  });

  test('every query sees all changes committed before it', async (ports) => {
    const family = await aFamily(ports);
    let record = await aRecord(ports, family);
    for (let i = 0; i < 20; i++) {
      const saved = await ports.records.save(aRecordWrite(record, { name: `Name ${i}` }));
      const result = await queryAbout(ports.probe, family, record.id);
      expect(result.record).toEqual(saved);
      expect(result.familyVersion).toBe((await ports.records.find(record)).familyVersion);
      record = result.record ?? record;
    }
  });

  test('concurrent queries each get their own result', async (ports) => {
    const { probe, keys } = ports;
    const families = [
      await aFamily(ports),
      await aFamily(ports, 'pipeline_transformation_configs'),
      await aFamily(ports),
    ];
    const queries: AccessQuery[] = [];
    for (const [n, family] of families.entries()) {
      const { projectId: project } = family;
      await keys.add(anApiKey({ hash: aKeyHash(n), projectIds: [project] }), anAuthor());
      const ids = [null, (await aRecord(ports, family)).id, (await aRecord(ports, family)).id, 4711];
      for (const recordId of ids) {
        queries.push({ keyHash: aKeyHash(n), project, family: family.family, recordId });
        queries.push({ keyHash: aKeyHash(n), project: 'current', family: family.family, recordId });
        queries.push({ keyHash: NOBODY, project: project + 1, family: family.family, recordId });
      }
      queries.push({ keyHash: aKeyHash(n), project: null, family: null, recordId: null });
    }
    const alone: AccessResult[] = [];
    for (const query of queries) alone.push(await probe.read(query));
    const often = Array.from({ length: 5 }, () => queries).flat();
    const together = await Promise.all(often.map((query) => probe.read(query)));
    expect(together).toEqual(Array.from({ length: 5 }, () => alone).flat());
  });
}

function runQuery(probe: AccessProbe, query: Partial<AccessQuery>) {
  return probe.read({ keyHash: NOBODY, project: null, family: null, recordId: null, ...query });
}

function queryAbout(
  probe: AccessProbe,
  { projectId: project, family }: Awaited<ReturnType<typeof aFamily>>,
  recordId: number | null,
) {
  return runQuery(probe, { project, family, recordId });
}
