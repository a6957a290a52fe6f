import type { ConfigRecord, FamilyRef } from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { INFO_THAT_FITS, RECORD, recordOfId, recordsThatFit } from './record-columns.ts';

export const READ_CHUNK: Statement = {
  name: 'read_chunk',
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

export async function readChunk(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  { projectId, family }: FamilyRef,
  ids: readonly number[],
  maxBytes: number,
): Promise<readonly (ConfigRecord | null)[]> {
  const rows = await run(pool, READ_CHUNK, [projectId, family, ids, maxBytes]);
  const stored = rows.map((row) => RECORD.readOrNull(row));
  const found = stored.filter((record) => record !== null);
  const masked = (await configurations.mask(pool, found)).values();
  return stored.map((record) => record && (masked.next().value ?? null));
}
