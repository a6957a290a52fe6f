import type { Clock } from '@plugin-config/domain';
import type { ExportPorts } from '../contracts/log-export.contract.ts';
import { memoryDatabase } from './memory-database.ts';
import { memoryDeadLetterStore } from './memory-dead-letter-store.ts';
import { memoryDeliveryRates } from './memory-delivery-rates.ts';
import { memoryDeliveryRetention, memoryDeliverySeries } from './memory-delivery-series.ts';
import { memoryIngestionStores } from './memory-ingestion-stores.ts';
import { memoryLogArrivals, memoryLogRetention } from './memory-log-arrivals.ts';
import { memoryLogEntryStore } from './memory-log-entry-store.ts';
import { memoryLogExport } from './memory-log-export.ts';
import { memoryLogs } from './memory-log-state.ts';
import { memoryLogUpkeep } from './memory-log-upkeep.ts';
import { memoryPorts } from './memory-ports.ts';
import { memoryReportedErrors } from './memory-reported-errors.ts';

const SYSTEM_CLOCK: Clock = { now: () => new Date() };

/** In-memory ports of logs and configurations. They use the clock of the store. */
export function memoryLogPorts(db = memoryDatabase(), clock = SYSTEM_CLOCK): ExportPorts {
  const logs = memoryLogs();
  return {
    ...memoryPorts(db),
    stores: memoryIngestionStores(db, logs, clock),
    logs: memoryLogEntryStore(logs),
    source: memoryLogExport(logs),
    upkeep: memoryLogUpkeep(logs, clock),
    arrivals: memoryLogArrivals(db, logs),
    retention: { ...memoryLogRetention(logs), ...memoryDeliveryRetention(logs, clock) },
    wakeUps: { isLive: true, listen: logs.follows.listeners.listen },
    letters: memoryDeadLetterStore(logs, clock),
    rates: memoryDeliveryRates(db, logs),
    deliveries: memoryDeliverySeries(db, logs),
    errors: memoryReportedErrors(db, logs),
    repeated: 'duplicate',
  };
}
