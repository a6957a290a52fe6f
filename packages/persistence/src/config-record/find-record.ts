import type { AtRevision, ConfigRecord, RecordRef } from '@plugin-config/domain';
import { numberAt } from '../cells.ts';
import type { Database } from '../database.ts';
import { run, type Statement } from '../statement.ts';
import { RECORD_COLUMNS, recordOrNullAt } from './record-columns.ts';

export const FIND_RECORD: Statement = {
  name: 'find_record',
  text: `select f.revision, ${RECORD_COLUMNS}
  from config_family f
  left join lateral (
    select * from config_record r
    where r.id = $3 and r.project_id = f.project_id and r.family = f.family limit 1
  ) r on true
  left join lateral (select i.info from plugin i where i.id = r.plugin limit 1) i on true
  where f.project_id = $1 and f.family = $2`,
};

export async function findRecord(
  { pool }: Pick<Database, 'pool'>,
  { projectId, family, id }: RecordRef,
): Promise<AtRevision<ConfigRecord | null>> {
  const [row] = await run(pool, FIND_RECORD, [projectId, family, id]);
  return row === undefined ? { revision: 0, value: null } : { revision: numberAt(row, 0), value: recordOrNullAt(row, 1) };
}
