import type { LogEntry } from '../log/log-entry.ts';

/**
 * Lines of jobs on their way into the logs. The transaction that starts an attempt or ends it also writes its lines
 * here, with the ids that they keep. They stay until a log has them.
 */
export interface LogOutbox {
  /**
   * Takes some lines, for this caller alone; empty where none is due. Projects take turns, and the portion is bounded in
   * lines and bytes. Lines that are not removed within a lease, by the store's clock, are due again.
   */
  take(): Promise<readonly LogEntry[]>;
  remove(lines: readonly LogEntry[]): Promise<void>;
}
