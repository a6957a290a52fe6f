import type { SeparateLog } from '@plugin-config/domain';
import type { LogPorts } from '@plugin-config/testing';
import {
  type Database,
  postgresIngestionStores,
  postgresLogUpkeep,
  postgresWakeUps,
  separateLogEntryStore,
  separateLogUpkeep,
} from '../index.ts';
import { portsOf } from './test-with-ports.ts';

export { databaseOfFile } from './database-of-file.ts';

/** @param separateLog has the entries; null if PostgreSQL has them */
export function logPortsOf(database: Database, separateLog: SeparateLog | null = null): LogPorts {
  return {
    ...portsOf(database),
    ...(separateLog !== null && { logs: separateLogEntryStore({ ...database, separateLog }) }),
    stores: postgresIngestionStores({ ...database, separateLog }),
    upkeep:
      separateLog === null ? postgresLogUpkeep(database) : separateLogUpkeep({ ...database, separateLog }),
    wakeUps: postgresWakeUps(database),
    repeated: separateLog === null ? 'duplicate' : 'stored',
  };
}
