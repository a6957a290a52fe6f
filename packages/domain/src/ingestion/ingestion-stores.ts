import type { DeadLetterWriter } from '../dead-letter/dead-letter-writer.ts';
import type { LogSequenceWriter } from '../following/log-sequence.ts';
import type { LogEntry } from '../log/log-entry.ts';
import type { LogEntryStore } from '../log/log-entry-store.ts';
import type { LogUpkeep } from '../log/log-upkeep.ts';
import type { LogUsageWriter } from '../usage/log-usage.ts';
import type { RecordOwners } from './record-owners.ts';
import type { ReportStore } from './report-store.ts';

export interface BatchLog extends Pick<LogEntryStore, 'append'> {
  /** Whether each of these entries is stored already. */
  areStored(entries: readonly LogEntry[]): Promise<readonly boolean[]>;
}

/** The stores that one batch of messages reads and writes. */
export interface BatchStores {
  readonly owners: RecordOwners;
  /** A day that `earliestKept` reports as kept is not dropped before the batch ends. */
  readonly days: Pick<LogUpkeep, 'earliestKept'>;
  readonly log: BatchLog;
  readonly sequence: LogSequenceWriter;
  readonly reports: ReportStore;
  readonly usage: LogUsageWriter;
  readonly deadLetters: DeadLetterWriter;
}

export interface IngestionStores {
  /**
   * Runs the work on one batch. Resolves to its result once everything it stored would survive a crash.
   *
   * The work may run again from its start, here or when the batch is delivered again. If it fails, each of its steps
   * may be stored or undone, so the work orders its steps such that a repetition is harmless in every case.
   *
   * @throws DomainError `unavailable` or `busy` if the stores cannot write now; `invalid_input` if a message of the
   * batch cannot be stored
   */
  withBatch<T>(work: (stores: BatchStores) => Promise<T>): Promise<T>;
}
