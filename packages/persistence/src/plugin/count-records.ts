import { COUNTED_RECORDS_MAX, type RecordCounts } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { versionHolding } from '../configuration/plugin-columns.ts';
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

/**
 * SQL for an object with the number of live records that follow each version of the plugin $3, in all projects or in those of $4; null if
 * they are more than `COUNTED_RECORDS_MAX`. It does not depend on a row, so a statement evaluates it once.
 */
export const recordsByVersion = (projects: 'all' | 'some'): string => `(
    with counted as (
      select r.schema_version, r.pinned_version, count(*) as records
      from (
        select r.schema_version, r.pinned_version
        from config_record r join config_family f on f.project_id = r.project_id and f.family = r.family
        where r.plugin = $3 and not r.deleted${projects === 'all' ? '' : ' and r.project_id = any ($4::bigint[])'}
        limit ${COUNTED_RECORDS_MAX + 1}
      ) r
      group by r.schema_version, r.pinned_version
    ), followed as (
      select coalesce(v.version, g.version) as version, r.records
      from counted r join plugin g on g.id = $3 left join ${versionHolding({
        plugin: 'g.id',
        current: 'g.schema_version',
        schemaVersion: 'r.schema_version',
        pinnedVersion: 'r.pinned_version',
      })} on true
    )
    select jsonb_object_agg(
      n.version, (select coalesce(sum(r.records), 0) from followed r where r.version = n.version)
    )
    from plugin_version n where n.plugin = $3
    having (select coalesce(sum(r.records), 0) from counted r) <= ${COUNTED_RECORDS_MAX}
  )`;
