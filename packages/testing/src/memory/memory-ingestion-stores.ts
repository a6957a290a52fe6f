import type { BatchStores, Clock, IngestionStores } from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import { memoryDeadLetterWriter } from './memory-dead-letter-writer.ts';
import { memoryArrivalWriter } from './memory-log-arrivals.ts';
import { storeEntries } from './memory-log-entry-store.ts';
import type { MemoryLogs } from './memory-log-state.ts';
import { memoryReportStore } from './memory-report-store.ts';

/** Runs batches one after the other. There is no rollback: the changes of a step stay even if a later step fails. */
export function memoryIngestionStores(db: MemoryDatabase, logs: MemoryLogs, clock: Clock): IngestionStores {
  const stores: BatchStores = {
    owners: {
      of: async (ids) =>
        new Map(
          ids.flatMap((id) => {
            const stored = db.state.records.get(id);
            if (stored === undefined) return [];
            const { projectId, family, plugin } = stored.record;
            return [[id, { projectId, family, plugin }]];
          }),
        ),
    },
    days: { earliestKept: async () => logs.earliestKept },
    log: { append: async (entries) => storeEntries(logs, entries) },
    arrivals: memoryArrivalWriter(logs),
    reports: memoryReportStore(db, logs),
    deadLetters: memoryDeadLetterWriter(logs, clock),
  };
  return { withBatch: (work) => logs.alone(() => work(stores)) };
}
