import type { RunPorts } from '../run-ports.ts';
import { memoryDatabase } from './memory-database.ts';
import { memoryJobRunStore } from './memory-job-run-store.ts';
import { memoryActivityUpkeep, memoryJobUpkeep } from './memory-upkeep.ts';
import { memoryPorts } from './memory-ports.ts';
import { linesOf } from './stored-lines.ts';

/** What jobs are run on, in memory. */
export function memoryRunPorts(db = memoryDatabase()): RunPorts {
  return {
    ...memoryPorts(db),
    runs: memoryJobRunStore(db),
    jobUpkeep: memoryJobUpkeep(db),
    activityUpkeep: memoryActivityUpkeep(db),
    pass: async (milliseconds) => db.pass(milliseconds),
    lines: async (record) => linesOf(db.state, record),
  };
}
