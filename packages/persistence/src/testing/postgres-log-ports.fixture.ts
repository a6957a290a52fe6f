import type { SeparateLog } from '@plugin-config/domain';
import type { LogPorts } from '@plugin-config/testing';
import {
  postgresDeadLetterStore,
  postgresDeliveryRates,
  postgresIngestionStores,
  postgresLogArrivals,
  postgresRetention,
  postgresLogEntryStore,
  postgresLogUpkeep,
  postgresWakeUps,
  separateLogEntryStore,
  separateLogUpkeep,
  type Database,
} from '../index.ts';
import { portsOf } from './postgres-ports.fixture.ts';

export { databaseOfFile } from './database-of-file.ts';

/** @param separateLog has the entries; null if PostgreSQL has them */
export function logPortsOf(database: Database, separateLog: SeparateLog | null = null): LogPorts {
  return {
    ...portsOf(database),
    stores: postgresIngestionStores({ ...database, separateLog }),
    logs:
      separateLog === null
        ? postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 })
        : separateLogEntryStore({ ...database, separateLog }),
    upkeep:
      separateLog === null ? postgresLogUpkeep(database) : separateLogUpkeep({ ...database, separateLog }),
    arrivals: postgresLogArrivals(database),
    retention: postgresRetention(database),
    wakeUps: postgresWakeUps(database),
    letters: postgresDeadLetterStore(database),
    rates: postgresDeliveryRates(database),
    repeated: separateLog === null ? 'duplicate' : 'stored',
  };
}
