import type { StopSignal } from '@plugin-config/flow';
import type { DueDay, EndedDays, EntriesSummary } from './ended-days.ts';
import type { EntryKey, LogEntry, LogRef } from './log-entry.ts';
import type { LogFilter } from './log-entry-store.ts';
import type { MovedDay } from './log-upkeep.ts';

/** A day in the archive. Copies by later runs are ignored: they have not ended. */
export interface CopiedDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly run: number;
}

export interface DayCount {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly count: number;
}

interface KeysOfDays {
  readonly days: readonly CopiedDay[];
  readonly skip: number;
  readonly limit: number;
}

/**
 * Entries of past days, in a database that takes no part in the transactions of the other stores. It does not know
 * about records, or which days are complete: callers pass the days to read, with their runs. Every method throws
 * `DomainError` `unavailable` while the archive is unreachable.
 */
export interface LogArchive {
  /** Stores entries of one day under the number of a run. Resolves once they are durable. Idempotent. */
  append(entries: readonly LogEntry[], run: number): Promise<void>;
  /** Summarises the entries of a day stored by this run. */
  summary(day: number, run: number): Promise<EntriesSummary>;
  /** Returns the names (`logKeyName`) of those entries that are in the archive. */
  known(entries: readonly LogKey[], days: readonly CopiedDay[]): Promise<ReadonlySet<string>>;
  /**
   * Counts matching entries by day, newest first. Days without entries are absent.
   * @throws DomainError as `LogEntryStore.page`
   */
  countByDay(
    record: LogRef,
    filter: LogFilter,
    days: readonly CopiedDay[],
    signal?: StopSignal,
  ): Promise<readonly DayCount[]>;
  /**
   * Counts the entries before this key in a listing.
   * @throws DomainError as `LogEntryStore.page`
   */
  countBefore(
    record: LogRef,
    filter: LogFilter,
    key: EntryKey,
    days: readonly CopiedDay[],
    signal?: StopSignal,
  ): Promise<number>;
  /**
   * Returns the keys of matching entries, in page order.
   * @throws DomainError as `LogEntryStore.page`
   */
  keys(
    record: LogRef,
    filter: LogFilter,
    range: KeysOfDays,
    signal?: StopSignal,
  ): Promise<readonly EntryKey[]>;
  /** Like `LogEntryStore.findKey`. */
  findKey(
    record: LogRef,
    id: string,
    days: readonly CopiedDay[],
    signal?: StopSignal,
  ): Promise<EntryKey | null>;
  /** Like `LogEntryStore.find`, for entries of any run. */
  find(record: LogRef, keys: readonly EntryKey[], maxBytes: number): Promise<readonly LogEntry[]>;
  /** Deletes all entries of the project, of all runs. Resolves once they are gone. Idempotent. */
  eraseProject(projectId: number): Promise<void>;
  /** Drops all days before this one. Idempotent. */
  dropBefore(day: Date): Promise<void>;
}

export type LogKey = EntryKey & { readonly recordId: number };

/** Returns a name for the entry that is unique across all logs. */
export function logKeyName({ recordId, timestamp, id }: LogKey): string {
  return `${recordId} ${timestamp.getTime()} ${id}`;
}

interface Dependencies {
  readonly ended: EndedDays;
  readonly archive: Pick<LogArchive, 'append' | 'summary'>;
}

/**
 * Copies a day to the archive, compares both sides, and drops the original. Every step can be repeated, and the next
 * call recovers from an interruption at any point: the archive ignores a run until its day is marked.
 */
export async function archiveDay({ ended, archive }: Dependencies, due: DueDay): Promise<MovedDay> {
  const { day, run } = due;
  for await (const chunk of ended.chunks(day)) await archive.append(chunk, run);
  const own = await ended.summary(day);
  const copied = await archive.summary(day, run);
  const isSame = own.count === copied.count && own.digest === copied.digest;
  const isArchived = isSame && (await ended.takeOut(due, own));
  return { day, count: own.count, outcome: isArchived ? 'moved' : 'changed' };
}
