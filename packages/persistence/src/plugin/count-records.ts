import { COUNTED_RECORDS_MAX, type RecordCounts } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';

const COUNTED = columns((row) => ({
  total: row.number('count(*)'),
  invalid: row.number('count(*) filter (where r.invalid)'),
}));

const COUNT_RECORDS = prepared('count_records_of_plugin')`select ${COUNTED.sql}
  from config_record r join config_family f on f.project_id = r.project_id and f.family = r.family
  where r.plugin = $1 and not r.deleted`;

/**
 * Counts the live records of a plugin, and how many are marked. Records of deleted projects, which have no families, do not
 * count.
 */
export async function countRecords(
  connection: pg.Pool | pg.ClientBase,
  plugin: number,
): Promise<RecordCounts> {
  const [row = []] = await run(connection, COUNT_RECORDS, [plugin]);
  const { total, invalid } = COUNTED.read(row);
  return { total, invalid: total > COUNTED_RECORDS_MAX ? null : invalid };
}
