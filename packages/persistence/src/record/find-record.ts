import type { AtRevision, ConfigRecord, RecordRef } from '@plugin-config/domain';
import { numberAt } from '../postgres/cells.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { INFO_OF_RECORD, RECORD_COLUMNS, recordOfId, recordOrNullAt } from './record-columns.ts';

export const FIND_RECORD: Statement = {
  name: 'find_record',
  text: `select f.revision, ${RECORD_COLUMNS}
  from config_family f
  left join ${recordOfId('$3')} on r.project_id = f.project_id and r.family = f.family
  left join ${INFO_OF_RECORD} on true
  where f.project_id = $1 and f.family = $2`,
};

export async function findRecord(
  { pool }: Pick<Database, 'pool'>,
  { projectId, family, id }: RecordRef,
): Promise<AtRevision<ConfigRecord | null>> {
  const [row] = await run(pool, FIND_RECORD, [projectId, family, id]);
  return row === undefined
    ? { revision: 0, value: null }
    : { revision: numberAt(row, 0), value: recordOrNullAt(row, 1) };
}
