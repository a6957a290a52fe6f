import { rearrangeRecord, REARRANGE_MAX, setOrders, type FamilyRef } from '@plugin-config/domain';
import { aFamily, anAuthor, aRecord } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

/** Copies the only record of the family until the family has this number of records. */
async function fill(pool: pg.Pool, { projectId }: FamilyRef, count: number): Promise<void> {
  const { rows } = await pool.query<{ names: string }>(
    `select string_agg(column_name, ', ') as names from information_schema.columns
    where table_name = 'config_record' and column_name <> 'id'`,
  );
  const names = rows[0]?.names ?? '';
  await pool.query(
    `insert into config_record (${names})
    select ${names} from config_record, generate_series(2, $2::integer) where project_id = $1`,
    [projectId, count],
  );
}

test('a family with too many records cannot be rearranged, and one with fewer can', () =>
  withDatabase(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const { id } = await aRecord(ports, family);
    await fill(database.pool, family, REARRANGE_MAX);
    const command = { family, precondition: null, author: anAuthor() };
    const orders = new Map([[id, 5]]);
    expect(await setOrders(ports, { ...command, orders })).toHaveLength(REARRANGE_MAX);
    await aRecord(ports, family);
    const rejection = { code: 'invalid_input', message: expect.stringContaining('10,000') as unknown };
    await expect(setOrders(ports, { ...command, orders })).rejects.toMatchObject(rejection);
    const moved = rearrangeRecord(ports, { ...command, order: 1, wanted: { plugin: 1 } });
    await expect(moved).rejects.toMatchObject(rejection);
    await aRecord(ports, family);
    const { length } = await ports.records.lock(family, async ({ live }) => live);
    expect(length).toBe(REARRANGE_MAX + 1);
  }));
