import type { LogPorts } from '@plugin-config/testing';
import {
  postgresDeadLetterStore,
  postgresDeliveryRates,
  postgresIngestionStores,
  postgresLogArrivals,
  postgresLogArrivalUpkeep,
  postgresLogEntryStore,
  postgresLogUpkeep,
  postgresWakeUps,
  type Database,
} from '../index.ts';
import { portsOf } from './postgres-ports.fixture.ts';

export function logPortsOf(database: Database): LogPorts {
  return {
    ...portsOf(database),
    stores: postgresIngestionStores(database),
    logs: postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 }),
    upkeep: postgresLogUpkeep(database),
    arrivals: postgresLogArrivals(database),
    arrivalUpkeep: postgresLogArrivalUpkeep(database),
    wakeUps: postgresWakeUps(database),
    letters: postgresDeadLetterStore(database),
    rates: postgresDeliveryRates(database),
  };
}
