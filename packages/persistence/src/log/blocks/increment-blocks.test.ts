import { startOfDay } from '@plugin-config/domain';
import { MOMENT } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../../testing/database-of-file.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { incrementBlocks } from './increment-blocks.ts';
import { SPLIT_AT } from './log-block.ts';
import { prepareDays } from '../days/log-days.ts';

const withEmptied = databaseOfFile();
const DAY = startOfDay(MOMENT.getTime());

test('blocks are told apart by their keys, in whatever order the database returns them', () =>
  withEmptied(async ({ pool }) => {
    await prepareDays(pool, [new Date(DAY)]);
    const client = await pool.connect();
    try {
      await incrementBlocks(reversed(client), [
        rowOf(1),
        ...Array.from({ length: SPLIT_AT }, () => rowOf(2)),
      ]);
    } finally {
      client.release();
    }
    const { rows } = await pool.query(
      `select record_id::integer as record, total::integer, split from log_block where depth = 0 order by 1`,
    );
    expect(rows).toEqual([
      { record: 1, total: 1, split: false },
      { record: 2, total: SPLIT_AT, split: true },
    ]);
  }));

/** Returns the rows of each statement in the opposite order. */
function reversed(client: pg.ClientBase): pg.ClientBase {
  const query = async (config: pg.QueryArrayConfig) => {
    const result = await client.query<unknown[]>(config);
    return { ...result, rows: result.rows.toReversed() };
  };
  return new Proxy(client, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}

const ENTRY = {
  id: '0197a3f0-1111-7222-8333-944455556666',
  instanceId: '0197a3f0-2222-7222-8333-944455556666',
  plugin: 1,
  kind: 0,
  sourceType: null,
  message: '',
};

function rowOf(recordId: number): EntryRow {
  return { ...ENTRY, day: DAY, recordId, timestamp: DAY };
}
