import type { RecordRef, StoredConfiguration } from '@plugin-config/domain';
import { numberOrNullAt, textAt } from '../postgres/cells.ts';
import type { Database } from '../postgres/database.ts';
import { PLUGIN_COLUMNS, pluginOrNullAt } from '../plugin/plugin-columns.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { INFO_OF_RECORD, RECORD_COLUMNS, recordAt, recordOfId } from './record-columns.ts';
import { readSecrets } from '../configuration/sealed-secrets.ts';

export const READ_CONFIGURATION: Statement = {
  name: 'read_configuration',
  text: `select r.secrets, p.revision, ${PLUGIN_COLUMNS}, ${RECORD_COLUMNS}
  from ${recordOfId('$3')}
  left join ${INFO_OF_RECORD} on true
  left join lateral (select * from plugin p where p.id = coalesce($4, r.plugin) limit 1) p on true
  where r.project_id = $1 and r.family = $2`,
};

const PLUGIN = 2;
const RECORD = 8;

export async function readConfiguration(
  { pool }: Pick<Database, 'pool'>,
  { projectId, family, id }: RecordRef,
  plugin: number | null,
): Promise<StoredConfiguration | null> {
  const [row] = await run(pool, READ_CONFIGURATION, [projectId, family, id, plugin]);
  if (row === undefined) return null;
  return {
    record: recordAt(row, RECORD),
    secrets: readSecrets(textAt(row, 0)),
    plugin: pluginOrNullAt(row, PLUGIN),
    pluginRevision: numberOrNullAt(row, 1),
  };
}
