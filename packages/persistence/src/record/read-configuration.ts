import type {
  ConfigurationValues,
  ConfiguredRecord,
  RecordRef,
  RecordWithValues,
} from '@plugin-config/domain';
import type pg from 'pg';
import type { StoredRecord } from '../configuration/configurations.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { jsonSchemas } from '../json-schema/ajv-json-schemas.ts';
import { prepared, run } from '../postgres/statement.ts';
import { INFO_OF_RECORD, RECORD, recordOfId } from './record-columns.ts';

export const READ_CONFIGURED = prepared('read_configured')`select ${RECORD.sql}
  from ${recordOfId('$3')}
  left join ${INFO_OF_RECORD} on true
  where r.project_id = $1 and r.family = $2`;

interface Reading extends Pick<EncryptedDatabase, 'configurations'> {
  readonly pool: pg.Pool | pg.ClientBase;
}

export async function readConfigured(database: Reading, ref: RecordRef): Promise<ConfiguredRecord | null> {
  const found = await read(database, ref);
  if (found === null) return null;
  const { defaults: _, ...configured } = found.configured;
  return configured;
}

export function postgresConfigurationValues(database: Reading): ConfigurationValues {
  return {
    async of(ref): Promise<RecordWithValues | null> {
      const found = await read(database, ref);
      if (found === null) return null;
      const decrypt = await database.configurations.decryptValues(database.pool, [ref.projectId]);
      return { ...found.configured, values: decrypt(found.stored), jsonSchemas };
    },
  };
}

type Found = Omit<RecordWithValues, 'values' | 'jsonSchemas'>;

async function read(
  { pool, configurations }: Reading,
  { projectId, family, id }: RecordRef,
): Promise<{ readonly configured: Found; readonly stored: StoredRecord } | null> {
  const [row] = await run(pool, READ_CONFIGURED, [projectId, family, id]);
  if (row === undefined) return null;
  const stored = RECORD.read(row);
  const record = await configurations.maskOne(pool, stored);
  const { plugin, secretNames, defaults } = (await configurations.registrations.load(pool, [stored]))(stored);
  return { stored, configured: { record, plugin, secretNames, defaults } };
}
