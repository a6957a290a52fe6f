import type { LogEntry } from '../log/log-entry.ts';

/**
 * Lines of jobs on their way into the logs. The transaction that starts or ends an attempt also writes its lines here,
 * with their final ids. They stay until the log has stored them.
 */
export interface LogOutbox {
  /**
   * Leases some lines to this caller; empty if none is due. Projects take turns, and the portion is bounded in lines
   * and bytes. Lines that are not removed within the lease, by the clock of the store, are due again.
   */
  take(): Promise<readonly LogEntry[]>;
  remove(lines: readonly LogEntry[]): Promise<void>;
}
