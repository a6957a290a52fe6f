import type { ActivityUpkeep, JobLine, JobRunStore, JobUpkeep, RecordRef } from '@plugin-config/domain';
import type { Ports } from './ports.ts';

/** What jobs are run on. */
export interface RunPorts extends Ports {
  readonly runs: JobRunStore;
  readonly jobUpkeep: JobUpkeep;
  readonly activityUpkeep: ActivityUpkeep;
  /** Lets time pass, as if all that is stored had happened so much earlier. */
  readonly pass: (milliseconds: number) => Promise<void>;
  /** What runs have written into the log of a record, oldest first. */
  readonly lines: (record: RecordRef) => Promise<readonly JobLine[]>;
}
