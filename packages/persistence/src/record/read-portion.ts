import type { ConfigRecord, FamilyRef } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { INFO_THAT_FITS, RECORD, recordOfId, recordsThatFit } from './record-columns.ts';

export const READ_PORTION: Statement = {
  name: 'read_portion',
  text: `select ${RECORD.sql}
  from ${recordsThatFit({
    records: `unnest($3::bigint[]) with ordinality as n (record_id, ordinal)
      left join ${recordOfId('n.record_id')} on r.project_id = $1 and r.family = $2`,
    order: 'p.ordinal',
    maxBytes: '$4::bigint',
  })} r
  left join ${INFO_THAT_FITS} on true
  order by r.ordinal`,
};

export async function readPortion(
  { pool }: Pick<Database, 'pool'>,
  { projectId, family }: FamilyRef,
  ids: readonly number[],
  maxBytes: number,
): Promise<readonly (ConfigRecord | null)[]> {
  const rows = await run(pool, READ_PORTION, [projectId, family, ids, maxBytes]);
  return rows.map((row) => RECORD.readOrNull(row));
}
