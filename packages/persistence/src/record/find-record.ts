import { cacheVersionOf, type FoundRecord, type RecordRef } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { REGISTRY_VERSION } from '../plugin/plugin-columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { INFO_OF_RECORD, RECORD, recordOfId } from './record-columns.ts';

const MANAGED_BY = columns((row) => ({ manager: row.text('m.manager'), key: row.text('m.key') }));

const FOUND = columns((row) => ({
  familyVersion: row.number('f.family_version'),
  registryVersion: row.number(REGISTRY_VERSION),
  managedBy: row.allOrNull(MANAGED_BY),
  value: row.allOrNull(RECORD),
}));

const NOT_FOUND = { familyVersion: 0, registryVersion: 0, managedBy: null, value: null };

export const FIND_RECORD: Statement = {
  name: 'find_record',
  text: `select ${FOUND.sql}
  from config_family f
  left join ${recordOfId('$3')} on r.project_id = f.project_id and r.family = f.family
  left join ${INFO_OF_RECORD} on true
  left join lateral (select * from managed_record m where m.record_id = r.id limit 1) m on true
  where f.project_id = $1 and f.family = $2`,
};

export async function findRecord(
  { pool, primary, configurations }: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>,
  { projectId, family, id }: RecordRef,
): Promise<FoundRecord> {
  const [row] = await run(pool, FIND_RECORD, [projectId, family, id]);
  const { value: stored, managedBy, ...counters } = row === undefined ? NOT_FOUND : FOUND.read(row);
  const [value = null] = stored === null ? [] : await configurations.mask(pool, [stored]);
  const { connectionEpoch, timelineId } = primary;
  const cacheVersion = cacheVersionOf({ connectionEpoch, ...counters });
  const { familyVersion, registryVersion } = counters;
  return { timelineId, registryVersion, familyVersion, cacheVersion, value, managedBy };
}
