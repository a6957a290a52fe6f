import type { StopSignal } from '@plugin-config/flow';

/** A day that was to be moved. `changed` and `in_use` days are left for the next call. */
export interface MovedDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly count: number;
  readonly outcome: 'moved' | 'changed' | 'in_use';
}

/** The days of the logs. A day is created for its first stored message, and dropped as a whole. */
export interface LogUpkeep {
  /**
   * Drops the days before the retention, with their counts. Today is determined by the store's
   * clock, so no caller can drop a day too early. Entries can no longer be stored on a dropped day. Resolves to the
   * dropped days; a day in use is left for the next call.
   */
  dropOverdue(retentionDays: number): Promise<readonly Date[]>;
  /**
   * Returns the start of the oldest day that was not dropped, in milliseconds since 1970; minus infinity if none
   * was dropped yet.
   */
  earliestKept(): Promise<number>;
  /** Returns the days before the retention that are not dropped yet, oldest first. */
  overdue(retentionDays: number): Promise<readonly Date[]>;
  /** Drops the same days from the archive, if there is one. */
  dropMoved(): Promise<void>;
  /**
   * Moves the days that ended more than this many days ago out of the primary store, oldest first, and reports each.
   * Does nothing if they stay there, or if another process is moving days or erasing a project.
   */
  moveEnded(hotDays: number, report: (moved: MovedDay) => void, signal?: StopSignal): Promise<void>;
  /** Returns the number of days that `moveEnded` still has to move. */
  unmoved(hotDays: number): Promise<number>;
  /** Adds the entries stored since the last call to the project counts (`LogCounts.ofProject`). */
  sumUpProjects(): Promise<void>;
}
