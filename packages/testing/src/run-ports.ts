import type { JobLine, JobRunStore, RecordRef } from '@plugin-config/domain';
import type { Ports } from './ports.ts';

/** What jobs are run on. */
export interface RunPorts extends Ports {
  readonly runs: JobRunStore;
  /** What runs have written into the log of a record, oldest first. */
  readonly lines: (record: RecordRef) => Promise<readonly JobLine[]>;
}
