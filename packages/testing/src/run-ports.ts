import type {
  ActivityUpkeep,
  JobRunStore,
  JobUpkeep,
  KeptAnswerUpkeep,
  LogEntryStore,
  LogOutbox,
} from '@plugin-config/domain';
import type { Ports } from './ports.ts';

/** What jobs are run on. */
export interface RunPorts extends Ports {
  readonly runs: JobRunStore;
  readonly outbox: LogOutbox;
  readonly logs: LogEntryStore;
  readonly jobUpkeep: JobUpkeep;
  readonly activityUpkeep: ActivityUpkeep;
  readonly keptAnswerUpkeep: KeptAnswerUpkeep;
  /** Lets time pass, as if all that is stored had happened so much earlier. */
  readonly pass: (milliseconds: number) => Promise<void>;
}
