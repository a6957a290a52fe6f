import type { RunPorts } from '../run-ports.ts';
import { memoryDatabase } from './memory-database.ts';
import { memoryJobRunStore } from './memory-job-run-store.ts';
import { memoryLogEntryStore } from './memory-log-entry-store.ts';
import { memoryLogOutbox } from './memory-log-outbox.ts';
import { memoryLogs } from './memory-log-state.ts';
import { memoryActivityUpkeep, memoryJobUpkeep, memoryKeptAnswerUpkeep } from './memory-upkeep.ts';
import { memoryPorts } from './memory-ports.ts';

/** In-memory ports that run jobs. */
export function memoryRunPorts(db = memoryDatabase()): RunPorts {
  return {
    ...memoryPorts(db),
    runs: memoryJobRunStore(db),
    outbox: memoryLogOutbox(db),
    logs: memoryLogEntryStore(memoryLogs()),
    jobUpkeep: memoryJobUpkeep(db),
    activityUpkeep: memoryActivityUpkeep(db),
    keptAnswerUpkeep: memoryKeptAnswerUpkeep(db),
    pass: async (milliseconds) => db.pass(milliseconds),
  };
}
