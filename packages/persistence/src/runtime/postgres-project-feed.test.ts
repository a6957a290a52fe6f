import { EVERY_PROJECT, type FamilyRef, type FeedPosition, type FeedQuery } from '@plugin-config/domain';
import { aFamily, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts, type Database } from '../index.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { planOf } from '../testing/plan-of.ts';
import { INCREMENTS } from '../writing/write.ts';
import { CHANGED_PROJECTS } from './postgres-project-feed.ts';

const withEmptied = databaseOfFile();

interface Tenants {
  readonly database: Database;
  readonly ports: ReturnType<typeof postgresPorts>;
  readonly families: readonly FamilyRef[];
}

/** Runs a test on three projects with an enabled record each. */
const withTenants = (run: (tenants: Tenants) => Promise<void>) =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const families: FamilyRef[] = [];
    for (let n = 0; n < 3; n++) {
      const family = await aFamily(ports);
      families.push(family);
      await aRecord(ports, family, { enabled: true });
    }
    await run({ database, ports, families });
  });

const QUERY: FeedQuery = { family: 'plugin_configs', filter: EVERY_PROJECT, after: 0, limit: 10 };

const idsIn = ({ projects }: { readonly projects: readonly { readonly projectId: number }[] }) =>
  projects.map(({ projectId }) => projectId);

async function now({ feed }: Tenants['ports']): Promise<FeedPosition> {
  return (await feed.all(QUERY)).at;
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
    const later = await ports.feed.since(during, QUERY);
    expect(idsIn(later)).toEqual([fast?.projectId]);
    await client.query('commit');
    client.release();
    expect(idsIn(await ports.feed.since(during, QUERY))).toEqual([slow?.projectId, fast?.projectId]);
    const last = await ports.feed.since(later.at, QUERY);
    expect(idsIn(last)).toEqual([slow?.projectId]);
    expect(idsIn(await ports.feed.since(last.at, QUERY))).toEqual([]);
  }));

test('a transaction that is rolled back changes nothing', () =>
  withTenants(async ({ database: { pool }, ports, families: [family] }) => {
    const before = await now(ports);
    const client = await pool.connect();
    await client.query('begin');
    await client.query(CHANGE, [family?.projectId]);
    await client.query('rollback');
    client.release();
    expect(idsIn(await ports.feed.since(before, QUERY))).toEqual([]);
  }));

test('transactions of another cluster, which a restored dump has, do not come again and again', () =>
  withTenants(async ({ database: { pool }, ports, families: [family] }) => {
    await pool.query('update config_family set changed_xid = 1000000000000 where project_id = $1', [
      family?.projectId,
    ]);
    expect(idsIn(await ports.feed.since(await now(ports), QUERY))).toEqual([]);
    expect(idsIn(await ports.feed.all(QUERY))).toContain(family?.projectId);
  }));

test('a poll of many projects reads those that have changed', () =>
  withTenants(async ({ database: { pool } }) => {
    await pool.query(
      `insert into project (id, name, created_at) select 1000 + n, 'Project', now() from generate_series(1, 20000) n`,
    );
    await pool.query(`insert into config_family (project_id, family)
      select 1000 + n, f.family from generate_series(1, 20000) n cross join (select distinct family from config_family) f`);
    await pool.query('analyze config_family, config_record, project');
    const plan = await planOf(pool, CHANGED_PROJECTS.text);
    expect(plan).toContain('Bitmap Index Scan on config_family_changed_index');
    expect(plan).not.toMatch(/Seq Scan on (config_family|project)/);
  }));
