import type { RunPorts } from '../run-ports.ts';
import { memoryDatabase } from './memory-database.ts';
import { memoryJobRunStore } from './memory-job-run-store.ts';
import { memoryLogEntryStore } from './memory-log-entry-store.ts';
import { memoryLogOutbox } from './memory-log-outbox.ts';
import { memoryLogs } from './memory-log-state.ts';
import { memoryRetention } from './memory-retention.ts';
import { memoryPorts } from './memory-ports.ts';

/** In-memory ports that run jobs. */
export function memoryRunPorts(db = memoryDatabase()): RunPorts {
  return {
    ...memoryPorts(db),
    runs: memoryJobRunStore(db),
    outbox: memoryLogOutbox(db),
    logs: memoryLogEntryStore(memoryLogs()),
    retention: memoryRetention(db),
    pass: async (milliseconds) => db.pass(milliseconds),
  };
}
