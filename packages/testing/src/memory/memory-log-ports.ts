import type { LogPorts } from '../log-ports.ts';
import { memoryDatabase } from './memory-database.ts';
import { memoryDeadLetterStore } from './memory-dead-letter-store.ts';
import { memoryDeliveryRates } from './memory-delivery-rates.ts';
import { memoryIngestStore } from './memory-ingest-store.ts';
import { memoryLogEntryStore } from './memory-log-entry-store.ts';
import { memoryLogs } from './memory-log-state.ts';
import { memoryLogUpkeep } from './memory-log-upkeep.ts';
import { memoryPorts } from './memory-ports.ts';

/** Every port, in memory. */
export function memoryLogPorts(db = memoryDatabase()): LogPorts {
  const logs = memoryLogs();
  return {
    ...memoryPorts(db),
    store: memoryIngestStore(db, logs),
    logs: memoryLogEntryStore(db, logs),
    upkeep: memoryLogUpkeep(db, logs),
    letters: memoryDeadLetterStore(db, logs),
    rates: memoryDeliveryRates(db, logs),
  };
}
