import type { DeadLetterWriter } from '../dead-letter/dead-letter-writer.ts';
import type { LogEntryStore } from '../log/log-entry-store.ts';
import type { LogUpkeep } from '../log/log-upkeep.ts';
import type { RecordOwners } from './record-owners.ts';
import type { ReportStore } from './report-store.ts';

/** What one batch of messages is judged by, and stored in. */
export interface BatchStores {
  readonly owners: RecordOwners;
  /** Days that it says are kept stay until the batch ends. */
  readonly days: Pick<LogUpkeep, 'earliestKept'>;
  readonly log: Pick<LogEntryStore, 'append'>;
  readonly reports: ReportStore;
  readonly deadLetters: DeadLetterWriter;
}

export interface IngestionStores {
  /**
   * Runs the work on one batch, and resolves to its result when all that it stored would survive a crash.
   *
   * The work may be run again from its start, here or by whoever delivers the batch again. Where it fails, each of its
   * steps is stored or not: a store may undo them all, and need not. So the work orders its steps such that a repetition
   * is harmless whichever of them were done.
   *
   * @throws DomainError `unavailable` or `busy` where the stores can take nothing now; `invalid_input` where something in
   * the batch cannot be stored
   */
  withBatch<T>(work: (stores: BatchStores) => Promise<T>): Promise<T>;
}
