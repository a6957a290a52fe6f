import type { DeadLetterWriter } from '../dead-letter/dead-letter-store.ts';
import type { LogSequenceWriter } from '../following/log-sequence.ts';
import type { AppendOutcomes, LogEntry } from '../log/log-entry.ts';
import type { LogUpkeep } from '../log/log-upkeep.ts';
import type { LogUsageWriter } from '../usage/log-usage.ts';
import type { LogQuota } from '../usage/log-quota.ts';
import type { RecordRef } from '../project/family.ts';
import type { DeliveryMessage, ErrorMessage } from '../message/message.ts';

export interface BatchLog {
  /**
   * Stores each entry whose identity (record, timestamp, id) is not stored yet; of duplicates in the batch, the
   * first. The entries will be durable at the end of the batch. Safe to repeat.
   * @throws DomainError `invalid_input` if a text cannot be stored
   */
  append(entries: readonly LogEntry[]): Promise<AppendOutcomes>;
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
   * Runs the work on one batch. Resolves to its result once everything it stored is durable.
   *
   * The work may run again from its start, here or when the batch is redelivered. If it fails, any of its steps may
   * have been stored, so they must be ordered such that repeating them is harmless.
   * @throws DomainError `unavailable` or `busy` if the stores cannot write now; `invalid_input` if a message of the
   * batch cannot be stored
   */
  withBatch<T>(work: (stores: BatchStores) => Promise<T>): Promise<T>;
}

/** The project and family of a record, which never change, its current plugin, and its project's quota. */
export interface Owner extends Omit<RecordRef, 'id'> {
  readonly plugin: number;
  readonly logQuota: LogQuota;
}

export interface RecordOwners {
  /** Returns the owners of those records that exist, by record id. */
  of(recordIds: readonly number[]): Promise<ReadonlyMap<number, Owner>>;
}

/** Reports of plugins about their records: everything except log entries. */
export interface Reports {
  readonly deliveries: readonly DeliveryMessage[];
  readonly errors: readonly ErrorMessage[];
}

export interface ReportStore {
  /**
   * Counts each delivery whose id has not been counted for its record; of duplicates in the batch, only the first. Keeps the failed
   * deliveries of these, up to `FAILED_KEPT_MAX`: the oldest go first. Resolves to the outcome of each delivery, in order.
   *
   * A record shows the latest of its reported errors, regardless of their order: by the times of the errors, then by the times and
   * positions at which the source received them. If all are equal, an error beats a cleared error, and of two errors the greater
   * text wins. It is shown immediately or, if its family is locked, after the next refresh of the delivery rates.
   *
   * Safe to repeat.
   * @throws DomainError `invalid_input` if a text cannot be stored
   */
  store(reports: Reports): Promise<readonly ('stored' | 'duplicate')[]>;
}
