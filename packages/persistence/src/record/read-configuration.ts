import type { ConfigurationValues } from '@plugin-config/domain';
import type pg from 'pg';
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

export function postgresConfigurationValues({ pool, configurations }: Reading): ConfigurationValues {
  return {
    async of({ projectId, family, id }) {
      const [row] = await run(pool, READ_CONFIGURED, [projectId, family, id]);
      if (row === undefined) return null;
      const stored = RECORD.read(row);
      const record = await configurations.maskOne(pool, stored);
      const registrationOf = await configurations.registrations.load(pool, [stored]);
      const { plugin, secretNames, defaults } = registrationOf(stored);
      const decrypt = await configurations.decryptValues(pool, [projectId]);
      return { record, plugin, secretNames, defaults, values: decrypt(stored), jsonSchemas };
    },
  };
}
