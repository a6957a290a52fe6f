import type { SeparateLog } from '@plugin-config/domain';
import type { LogPorts } from '@plugin-config/testing';
import {
  type Database,
  postgresIngestionStores,
  postgresLogEntryStore,
  postgresLogUpkeep,
  postgresPorts,
  postgresWakeUps,
  separateLogEntryStore,
  separateLogUpkeep,
} from '../index.ts';

export { databaseOfFile } from './database-of-file.ts';

/** @param separateLog has the entries; null if PostgreSQL has them */
export function logPortsOf(database: Database, separateLog: SeparateLog | null = null): LogPorts {
  return {
    ...postgresPorts(database),
    stores: postgresIngestionStores({ ...database, separateLog }),
    logs:
      separateLog === null
        ? postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 })
        : separateLogEntryStore({ ...database, separateLog }),
    upkeep:
      separateLog === null ? postgresLogUpkeep(database) : separateLogUpkeep({ ...database, separateLog }),
    wakeUps: postgresWakeUps(database),
    repeated: separateLog === null ? 'duplicate' : 'stored',
  };
}
