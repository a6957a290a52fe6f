import type { RecordRef, StoredConfiguration } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { PLUGIN } from '../plugin/plugin-columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { INFO_OF_RECORD, RECORD, recordOfId } from './record-columns.ts';
import { readSecrets } from '../configuration/sealed-secrets.ts';

const STORED = columns((row): StoredConfiguration => ({
  secrets: readSecrets(row.json('r.secrets')),
  pluginRevision: row.numberOrNull('p.revision'),
  plugin: row.allOrNull(PLUGIN),
  record: row.all(RECORD),
}));

export const READ_CONFIGURATION: Statement = {
  name: 'read_configuration',
  text: `select ${STORED.sql}
  from ${recordOfId('$3')}
  left join ${INFO_OF_RECORD} on true
  left join lateral (select * from plugin p where p.id = coalesce($4, r.plugin) limit 1) p on true
  where r.project_id = $1 and r.family = $2`,
};

export async function readConfiguration(
  { pool }: Pick<Database, 'pool'>,
  { projectId, family, id }: RecordRef,
  plugin: number | null,
): Promise<StoredConfiguration | null> {
  const [row] = await run(pool, READ_CONFIGURATION, [projectId, family, id, plugin]);
  return row === undefined ? null : STORED.read(row);
}
