import type { JobRunStore, LogEntryStore, LogOutbox, Retention } from '@plugin-config/domain';
import type { Ports } from './ports.ts';

/** Ports that run jobs. */
export interface RunPorts extends Ports {
  readonly runs: JobRunStore;
  readonly outbox: LogOutbox;
  readonly logs: LogEntryStore;
  readonly retention: Pick<Retention, 'finishedJobs' | 'activity' | 'editions' | 'keptAnswers'>;
  /** Advances the clock of the store, or makes all stored data older by the same amount. */
  readonly pass: (milliseconds: number) => Promise<void>;
}
