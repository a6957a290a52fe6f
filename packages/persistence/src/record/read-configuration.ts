import type {
  ConfigurationValues,
  ConfiguredRecord,
  RecordRef,
  RecordWithValues,
} from '@plugin-config/domain';
import type { StoredRecord } from '../configuration/configurations.ts';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { PLUGIN, registeredPlugin } from '../plugin/read-registration.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { INFO_OF_RECORD, RECORD, recordOfId } from './record-columns.ts';

const CONFIGURED = columns((row) => ({ plugin: row.allOrNull(PLUGIN), stored: row.all(RECORD) }));

export const READ_CONFIGURED: Statement = {
  name: 'read_configured',
  text: `select ${CONFIGURED.sql}
  from ${recordOfId('$3')}
  left join ${INFO_OF_RECORD} on true
  left join ${registeredPlugin('r.plugin')} on true
  where r.project_id = $1 and r.family = $2`,
};

type Reading = Pick<EncryptedDatabase, 'pool' | 'configurations'>;

export async function readConfigured(database: Reading, ref: RecordRef): Promise<ConfiguredRecord | null> {
  return (await read(database, ref))?.configured ?? null;
}

export function postgresConfigurationValues(database: Reading): ConfigurationValues {
  const { pool, configurations } = database;
  return {
    async of(ref): Promise<RecordWithValues | null> {
      const found = await read(database, ref);
      if (found === null) return null;
      const decrypt = await configurations.decryptValues(pool, ref.projectId);
      return { ...found.configured, values: decrypt(found.stored) };
    },
  };
}

async function read(
  { pool, configurations }: Reading,
  { projectId, family, id }: RecordRef,
): Promise<{ readonly configured: ConfiguredRecord; readonly stored: StoredRecord } | null> {
  const [row] = await run(pool, READ_CONFIGURED, [projectId, family, id]);
  if (row === undefined) return null;
  const { stored, plugin } = CONFIGURED.read(row);
  const record = await configurations.maskOne(pool, stored);
  const secretNames = (await configurations.secretNames(pool, [stored]))(stored);
  return { stored, configured: { record, plugin, secretNames } };
}
