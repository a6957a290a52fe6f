import type { LogAmount } from './log-quota.ts';

/** What a project brought into its logs in a batch or in a day. */
export interface LogUsage extends LogAmount {
  /** The entries over quota. Those of a rejected push count each time that it is sent. */
  readonly overQuota: number;
}

/** The usage of today, by the clock of the store, while a batch is stored. */
export interface LogUsageWriter {
  /** Locks the usage of these projects until the batch ends. Resolves to what they have used so far. */
  lock(projectIds: readonly number[]): Promise<ReadonlyMap<number, LogAmount>>;
  add(used: ReadonlyMap<number, LogUsage>): Promise<void>;
}

/** The usage of a day in UTC. */
export interface DayOfUsage extends LogUsage {
  readonly day: Date;
}

export interface LogUsageStore {
  /** The usage of a project since the start of a day, newest first. Days without any are absent. */
  since(projectId: number, day: Date): Promise<readonly DayOfUsage[]>;
}
