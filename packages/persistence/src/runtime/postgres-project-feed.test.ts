import {
  EVERY_PROJECT,
  updateRecord,
  type ConfigRecord,
  type FamilyRef,
  type FeedFilter,
  type FeedPosition,
} from '@plugin-config/domain';
import { aFamily, anAuthor, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts, type Database } from '../index.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { INCREMENTS } from '../writing/write.ts';

const withEmptied = databaseOfFile();
const author = anAuthor();

interface Tenants {
  readonly database: Database;
  readonly ports: ReturnType<typeof postgresPorts>;
  readonly families: readonly FamilyRef[];
  readonly records: readonly ConfigRecord[];
}

/** Runs a test on three projects with an enabled record each. */
const withTenants = (run: (tenants: Tenants) => Promise<void>) =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const families: FamilyRef[] = [];
    const records: ConfigRecord[] = [];
    for (let n = 0; n < 3; n++) {
      const family = await aFamily(ports);
      families.push(family);
      records.push(await aRecord(ports, family, { enabled: true }));
    }
    await run({ database, ports, families, records });
  });

const queryOf = (filter: Partial<FeedFilter> = {}, after = 0, limit = 10) =>
  ({ family: 'plugin_configs', filter: { ...EVERY_PROJECT, ...filter }, after, limit }) as const;

const idsIn = ({ projects }: { readonly projects: readonly { readonly projectId: number }[] }) =>
  projects.map(({ projectId }) => projectId);

async function now({ feed }: Tenants['ports']): Promise<FeedPosition> {
  return (await feed.all(queryOf())).at;
}

const CHANGE = `update config_family f set ${INCREMENTS.list_version} where f.project_id = $1 and f.family = 'plugin_configs'`;

test('a transaction that commits late is found by readers from before its commit, whatever they have seen since', () =>
  withTenants(async ({ database: { pool }, ports, families: [slow, fast] }) => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(CHANGE, [slow?.projectId]);
    await pool.query(CHANGE, [fast?.projectId]);
    const during = await now(ports);
    await pool.query(CHANGE, [fast?.projectId]);
    const later = await ports.feed.since(during, queryOf());
    expect(idsIn(later)).toEqual([fast?.projectId]);
    await client.query('commit');
    client.release();
    expect(idsIn(await ports.feed.since(during, queryOf()))).toEqual([slow?.projectId, fast?.projectId]);
    const last = await ports.feed.since(later.at, queryOf());
    expect(idsIn(last)).toEqual([slow?.projectId]);
    expect(idsIn(await ports.feed.since(last.at, queryOf()))).toEqual([]);
  }));

test('a transaction that is rolled back changes nothing', () =>
  withTenants(async ({ database: { pool }, ports, families: [family] }) => {
    const before = await now(ports);
    const client = await pool.connect();
    await client.query('begin');
    await client.query(CHANGE, [family?.projectId]);
    await client.query('rollback');
    client.release();
    expect(idsIn(await ports.feed.since(before, queryOf()))).toEqual([]);
  }));

test('transactions of another cluster, which a restored dump has, do not come again and again', () =>
  withTenants(async ({ database: { pool }, ports, families: [family] }) => {
    await pool.query('update config_family set changed_xid = 1000000000000 where project_id = $1', [
      family?.projectId,
    ]);
    expect(idsIn(await ports.feed.since(await now(ports), queryOf()))).toEqual([]);
    expect(idsIn(await ports.feed.all(queryOf()))).toContain(family?.projectId);
  }));

test('each kind of change to the records of a project is found, and none to what its runtimes do not get', () =>
  withTenants(async ({ database: { pool }, ports, families: [family], records: [record] }) => {
    if (family === undefined || record === undefined) throw new Error('unreachable');
    const dependencies = { ...ports, requireRegistered: false };
    const foundAfter = async (change: () => Promise<unknown>) => {
      const before = await now(ports);
      await change();
      return idsIn(await ports.feed.since(before, queryOf()));
    };
    const update = (change: object) => async () => {
      const { value: current } = await ports.records.find({ ...family, id: record.id });
      return updateRecord(dependencies, { record: current ?? record, precondition: null, change, author });
    };
    const changed = [
      await foundAfter(update({ name: 'Renamed' })),
      await foundAfter(update({ enabled: false })),
      await foundAfter(() => aRecord(ports, family, { enabled: true })),
      await foundAfter(() => ports.projects.change(family.projectId, { externalId: 'acme' }, author)),
    ];
    expect(changed).toEqual(changed.map(() => [family.projectId]));
    const unchanged = [
      await foundAfter(() => ports.projects.change(family.projectId, { name: 'Other' }, author)),
      await foundAfter(() =>
        pool.query('update config_family set family_version = family_version + 1 where project_id = $1', [
          family.projectId,
        ]),
      ),
    ];
    expect(unchanged).toEqual([[], []]);
  }));

test('pages are in the order of the projects, and filters apply to each', () =>
  withTenants(async ({ ports, families }) => {
    const [a = 0, b = 0, c = 0] = families.map(({ projectId }) => projectId);
    const first = await ports.feed.all(queryOf({}, 0, 2));
    expect([idsIn(first), first.isComplete]).toEqual([[a, b], false]);
    const second = await ports.feed.all(queryOf({}, b, 2));
    expect([idsIn(second), second.isComplete]).toEqual([[c], true]);
    const ofKey = queryOf({ key: { id: 1, projectIds: [b] } });
    expect(idsIn(await ports.feed.all(ofKey))).toEqual([b]);
    const shard = { index: a % 2, of: 2 };
    expect(idsIn(await ports.feed.all(queryOf({ shard })))).toEqual([a, c]);
    expect(idsIn(await ports.feed.all(queryOf({ plugins: [4711] })))).toEqual([]);
  }));

test('a deleted project is gone, without its external id once it is erased, for those who could read it', () =>
  withTenants(async ({ ports, families: [family] }) => {
    const projectId = family?.projectId ?? 0;
    const project = await ports.projects.change(projectId, { externalId: 'acme' }, author);
    const before = await now(ports);
    await ports.erasures.start(projectId, project?.name ?? '', author);
    const goneFor = async (filter: Partial<FeedFilter>) =>
      (await ports.feed.since(before, queryOf(filter))).projects.map((one) => [
        one.projectId,
        one.externalId,
      ]);
    expect(await goneFor({})).toEqual([[projectId, 'acme']]);
    expect(await goneFor({ key: { id: 404, projectIds: [404] } })).toEqual([]);
    await ports.eraser.finish(projectId);
    expect(await goneFor({})).toEqual([[projectId, null]]);
  }));
