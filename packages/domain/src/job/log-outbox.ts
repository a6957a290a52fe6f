import type { LogEntry } from '../log/log-entry.ts';
import type { LogEntryStore } from '../log/log-entry-store.ts';

/**
 * Lines of jobs on their way to the logs. The transaction that starts or ends an attempt also writes its lines here,
 * with their final ids. They are removed once the log has stored them.
 */
export interface LogOutbox {
  /**
   * Leases some lines to this caller; empty if none are due. Projects take turns, and the chunk is bounded in lines
   * and bytes. Lines not removed within the lease, by the store's clock, are due again.
   */
  take(): Promise<readonly LogEntry[]>;
  remove(lines: readonly LogEntry[]): Promise<void>;
}

interface Dependencies {
  readonly outbox: LogOutbox;
  readonly log: Pick<LogEntryStore, 'append'>;
}

/** Moves one chunk of lines to the logs, and returns their number. Safe to repeat: a log stores each line once. */
export async function drainOutbox({ outbox, log }: Dependencies): Promise<number> {
  const lines = await outbox.take();
  if (lines.length === 0) return 0;
  await log.append(lines);
  await outbox.remove(lines);
  return lines.length;
}
