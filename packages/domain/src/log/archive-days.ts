import type { EntriesSummary, LogArchive } from './log-archive.ts';
import type { LogEntry } from './log-entry.ts';

/** A day with entries that are not in the archive. */
export interface DueDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  /** The run that copies the day. An interrupted run is repeated under the same number. */
  readonly run: number;
}

/** The days in the primary store, as the archiver sees them. */
export interface ArchivableDays {
  /** Returns the days that ended more than this many days ago and have unarchived entries, oldest first. */
  due(hotDays: number): Promise<readonly DueDay[]>;
  /** Yields the unarchived entries of the day in chunks. */
  chunks(day: number): AsyncIterable<readonly LogEntry[]>;
  /** Summarises these entries. */
  summary(day: number): Promise<EntriesSummary>;
  /**
   * Marks the day as archived by the run, and drops its entries. Resolves to false without any change if the number
   * of entries is no longer `count`.
   * @throws DomainError `busy` if the day is in use
   */
  finish(due: DueDay, count: number): Promise<boolean>;
  /** Runs the work, unless another process is running it: then resolves to null. */
  exclusively<T>(work: () => Promise<T>): Promise<T | null>;
}

interface Dependencies {
  readonly archivable: ArchivableDays;
  readonly archive: Pick<LogArchive, 'append' | 'summary'>;
}

/** The result for a day. `changed` means that entries were added during the copy, so the next call repeats it. */
export interface ArchiveReport extends EntriesSummary {
  readonly day: number;
  readonly outcome: 'archived' | 'changed';
}

/**
 * Copies a day to the archive, compares both sides, and drops the original. Every step can be repeated, and the next
 * call recovers from an interruption at any point: the archive ignores a run until its day is marked.
 */
export async function archiveDay({ archivable, archive }: Dependencies, due: DueDay): Promise<ArchiveReport> {
  const { day, run } = due;
  for await (const chunk of archivable.chunks(day)) await archive.append(chunk, run);
  const own = await archivable.summary(day);
  const copied = await archive.summary(day, run);
  const isSame = own.count === copied.count && own.digest === copied.digest;
  const isArchived = isSame && (await archivable.finish(due, own.count));
  return { day, ...own, outcome: isArchived ? 'archived' : 'changed' };
}
