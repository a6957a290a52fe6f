import type { Ports } from '@plugin-config/testing';
import { inject } from 'vitest';
import {
  openDatabase,
  postgresAccessProbe,
  postgresActivityLog,
  postgresApiKeyStore,
  postgresConfigRecordStore,
  postgresFamilyChanges,
  postgresJobStore,
  postgresPluginStore,
  postgresProjectStore,
  postgresSecretStore,
  type Database,
  type DatabaseOptions,
} from '../index.ts';
import { createTestDatabase } from './create-test-database.ts';

export function portsOf(database: Database): Ports {
  return {
    probe: postgresAccessProbe(database),
    keys: postgresApiKeyStore(database),
    projects: postgresProjectStore(database),
    plugins: postgresPluginStore(database),
    records: postgresConfigRecordStore(database),
    changes: postgresFamilyChanges(database),
    activity: postgresActivityLog(database),
    jobs: postgresJobStore(database),
    secrets: postgresSecretStore(database),
  };
}

/** Runs the work on a new database, and drops it afterwards. */
export async function withDatabase(
  run: (database: Database, url: string) => Promise<void>,
  options: Partial<DatabaseOptions> = {},
): Promise<void> {
  const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
  const database = openDatabase({ url, poolSize: 10, ...options });
  try {
    await run(database, url);
  } finally {
    await database.close();
    await drop();
  }
}
