import { aFamily, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { familyPageReader } from './family-page.ts';

const EVERY_CHANGE = { recordId: null, activity: null, actor: null, after: null, before: null };
const OWN = { records: 20, entries: 50 };
const OTHERS = 20_000;
const LIMIT = 10;

const withEmptied = databaseOfFile();

test('the first page reads the keys of its histories once, the last page twice, however many other histories there are', () =>
  withDatabase(
    async (database) => {
      const { pool } = database;
      const ports = postgresPorts(database);
      const [family, other] = [await aFamily(ports), await aFamily(ports)];
      const ids: number[] = [];
      for (let i = 0; i < OWN.records; i++) ids.push((await aRecord(ports, family)).id);
      const { id: another } = await aRecord(ports, other);
      const add = `insert into activity (record_id, activity, created_at, actor_key_id, actor_label, changes)
        select id, 'updated', now() + n * interval '1 second', 1, 'key', '[]' from generate_series(1, $2) n, unnest($1::bigint[]) id`;
      await pool.query(add, [ids, OWN.entries]);
      await pool.query(add, [[another], OTHERS]);
      await pool.query('vacuum analyze activity');
      const total = OWN.records * (OWN.entries + 1);
      const keysRead = async (): Promise<number> => {
        await pool.query('select pg_stat_force_next_flush()');
        const { rows } = await pool.query<{ count: string }>(
          `select sum(idx_tup_read) as count from pg_stat_user_indexes where relname = 'activity'`,
        );
        return Number(rows[0]?.count);
      };
      for (const filter of [
        {},
        { activity: 'updated' },
        { actor: { keyId: 2 } },
        { after: new Date(0) },
      ] as const) {
        for (const offset of [0, total - LIMIT]) {
          const before = await keysRead();
          await ports.activity.familyPage(family, { ...EVERY_CHANGE, ...filter }, { limit: LIMIT, offset });
          const read = (await keysRead()) - before;
          const most = (offset === 0 ? 1.5 : 2.5) * total;
          expect({ filter, offset, isMuch: read > most }).toEqual({ filter, offset, isMuch: false });
        }
      }
    },
    { poolSize: 1 },
  ));

test('a page that takes too long is rejected with a hint to narrow it', () =>
  withEmptied(async (database) => {
    const { pool } = database;
    const familyPage = familyPageReader(database, 100);
    const family = { projectId: 1, family: 'plugin_configs' } as const;
    const page = { limit: 10, offset: 0 };
    const client = await pool.connect();
    try {
      await client.query('begin; lock table activity in access exclusive mode');
      await expect(familyPage(family, EVERY_CHANGE, page)).rejects.toMatchObject({
        code: 'invalid_input',
        attr: 'record',
        message: expect.stringContaining('takes too long'),
      });
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await familyPage(family, EVERY_CHANGE, page)).toEqual({ count: 0, items: [] });
  }));
