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

export function logPortsOf(database: Database, archive?: LogArchive): LogPorts {
  const tiers = { ...database, ...(archive !== undefined && { archive }) };
  return {
    ...portsOf(database),
    ...(archive !== undefined && {
      logs: postgresLogEntryStore({ ...tiers, searchTimeoutMs: SEARCH_TIMEOUT_MS }),
    }),
    stores: postgresIngestionStores(tiers),
    upkeep: postgresLogUpkeep(database),
    wakeUps: postgresWakeUps(database),
  };
}
