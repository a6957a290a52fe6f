import type { LogPorts } from '@plugin-config/testing';
import {
  postgresDeadLetterStore,
  postgresDeliveryRates,
  postgresIngestionStores,
  postgresLogEntryStore,
  postgresLogUpkeep,
  type Database,
} from '../index.ts';
import { portsOf } from './postgres-ports.fixture.ts';

export function logPortsOf(database: Database): LogPorts {
  return {
    ...portsOf(database),
    stores: postgresIngestionStores(database),
    logs: postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 }),
    upkeep: postgresLogUpkeep(database),
    letters: postgresDeadLetterStore(database),
    rates: postgresDeliveryRates(database),
  };
}
