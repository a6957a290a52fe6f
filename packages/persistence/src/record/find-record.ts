import { freshnessOf, type AtRevision, type ConfigRecord, type RecordRef } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { REGISTRATIONS } from '../plugin/plugin-columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { INFO_OF_RECORD, RECORD, recordOfId } from './record-columns.ts';

const FOUND = columns((row) => ({
  revision: row.number('f.revision'),
  registrations: row.number(REGISTRATIONS),
  value: row.allOrNull(RECORD),
}));

const NOT_FOUND = { revision: 0, registrations: 0, value: null };

export const FIND_RECORD: Statement = {
  name: 'find_record',
  text: `select ${FOUND.sql}
  from config_family f
  left join ${recordOfId('$3')} on r.project_id = f.project_id and r.family = f.family
  left join ${INFO_OF_RECORD} on true
  where f.project_id = $1 and f.family = $2`,
};

export async function findRecord(
  { pool, primary }: Pick<Database, 'pool' | 'primary'>,
  { projectId, family, id }: RecordRef,
): Promise<AtRevision<ConfigRecord | null>> {
  const [row] = await run(pool, FIND_RECORD, [projectId, family, id]);
  const { value, ...counters } = row === undefined ? NOT_FOUND : FOUND.read(row);
  const { generation, lineage } = primary;
  return { lineage, revision: counters.revision, freshness: freshnessOf({ generation, ...counters }), value };
}
