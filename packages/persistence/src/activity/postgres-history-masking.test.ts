import { aFamily, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { sentStatements } from '../testing/statements.fixture.ts';
import { postgresHistoryMasking } from './postgres-history-masking.ts';

const RECORDS = 20;
const ENTRIES = 500;

test('long histories of many records are read once, in portions', () => {
  const { onStatement, since } = sentStatements();
  return withDatabase(
    async (database) => {
      const { pool } = database;
      const ports = postgresPorts(database);
      const family = await aFamily(ports);
      const ids: number[] = [];
      for (let i = 0; i < RECORDS; i++) ids.push((await aRecord(ports, family)).id);
      await pool.query(
        `insert into activity (record_id, activity, created_at, actor_label, changes)
        select id, 'config_updated', now(), 'key', '[{"field":"config.token","before":null,"after":"clear"}]'
        from generate_series(1, $2), unnest($1::bigint[]) id`,
        [ids, ENTRIES],
      );
      const fetched = async (): Promise<number> => {
        await pool.query('select pg_stat_force_next_flush()');
        const { rows } = await pool.query<{ count: string }>(
          `select idx_tup_read as count from pg_stat_user_indexes where indexrelname = 'activity_record_index'`,
        );
        return Number(rows[0]?.count);
      };
      const before = await fetched();
      since();
      await pool.query(
        `insert into unmasked_history (record_id, keys) select unnest($1::bigint[]), '{token}'`,
        [ids],
      );
      let portions = 0;
      for await (const _ of postgresHistoryMasking(database).maskNoted()) portions++;
      expect(portions).toBeGreaterThanOrEqual((RECORDS * ENTRIES) / 200);
      expect(portions).toBeLessThan((RECORDS * ENTRIES) / 100);
      expect((await fetched()) - before).toBeLessThan(3 * RECORDS * ENTRIES);
      const { rows } = await pool.query(`select from activity where changes::text like '%clear%'`);
      expect(rows).toEqual([]);
    },
    { onStatement, poolSize: 1 },
  );
});
