import type { ConfigRecord, FamilyRef, FoundRecord, RecordRef } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { prepared, run } from '../postgres/statement.ts';
import { NO_VERSIONS, VERSIONS } from './family-versions.ts';
import { INFO_OF_RECORD, INFO_THAT_FITS, RECORD, recordOfId, recordsThatFit } from './record-columns.ts';

export const MANAGED_BY = columns((row) => ({ manager: row.text('m.manager'), key: row.text('m.key') }));

const FOUND = columns((row) => ({
  versions: row.all(VERSIONS),
  managedBy: row.allOrNull(MANAGED_BY),
  isInvalid: row.flag('coalesce(r.invalid, false)'),
  stored: row.allOrNull(RECORD),
}));

const NOT_FOUND = { versions: NO_VERSIONS, managedBy: null, isInvalid: false, stored: null };

export const FIND_RECORD = prepared('find_record')`select ${FOUND.sql}
  from config_family f
  left join ${recordOfId('$3')} on r.project_id = f.project_id and r.family = f.family
  left join ${INFO_OF_RECORD} on true
  left join lateral (select * from managed_record m where m.record_id = r.id limit 1) m on true
  where f.project_id = $1 and f.family = $2`;

export async function findRecord(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  { projectId, family, id }: RecordRef,
): Promise<FoundRecord> {
  const [row] = await run(pool, FIND_RECORD, [projectId, family, id]);
  const { stored, versions, ...marks } = row === undefined ? NOT_FOUND : FOUND.read(row);
  const value = stored && (await configurations.maskOne(pool, stored));
  const { familyVersion, registryVersion } = versions;
  return { familyVersion, registryVersion, value, ...marks };
}

export const READ_CHUNK = prepared('read_chunk')`select ${RECORD.sql}
  from ${recordsThatFit({
    records: `unnest($3::bigint[]) with ordinality as n (record_id, ordinal)
      left join ${recordOfId('n.record_id')} on r.project_id = $1 and r.family = $2`,
    order: 'p.ordinal',
    maxBytes: '$4::bigint',
  })} r
  left join ${INFO_THAT_FITS} on true
  order by r.ordinal`;

export async function readChunk(
  connection: pg.Pool | pg.ClientBase,
  { configurations }: Pick<EncryptedDatabase, 'configurations'>,
  { projectId, family }: FamilyRef,
  { ids, maxBytes }: { readonly ids: readonly number[]; readonly maxBytes: number },
): Promise<readonly (ConfigRecord | null)[]> {
  const rows = await run(connection, READ_CHUNK, [projectId, family, ids, maxBytes]);
  const stored = rows.map((row) => RECORD.readOrNull(row));
  const found = stored.filter((record) => record !== null);
  const masked = (await configurations.mask(connection, found)).values();
  return stored.map((record) => record && (masked.next().value ?? null));
}
