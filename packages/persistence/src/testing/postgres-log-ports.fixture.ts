import type { LogArchive } from '@plugin-config/domain';
import type { LogPorts } from '@plugin-config/testing';
import {
  type Database,
  postgresIngestionStores,
  postgresLogEntryStore,
  postgresLogUpkeep,
  postgresWakeUps,
} from '../index.ts';
import { portsOf } from './test-with-ports.ts';

export { databaseOfFile } from './database-of-file.ts';

const SEARCH_TIMEOUT_MS = 20_000;

export function logPortsOf(postgres: Database, archive: LogArchive | null = null): LogPorts {
  const database = { ...postgres, archive };
  return {
    ...portsOf(database),
    ...(archive !== null && {
      logs: postgresLogEntryStore({ ...database, searchTimeoutMs: SEARCH_TIMEOUT_MS }),
    }),
    stores: postgresIngestionStores(database),
    upkeep: postgresLogUpkeep(database),
    wakeUps: postgresWakeUps(database),
  };
}
