import type { EntriesSummary, LogArchive } from './log-archive.ts';
import type { LogEntry } from './log-entry.ts';

/** A day with entries that the archive does not have. */
export interface DueDay {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  /** The number of the run that copies it. A run that was interrupted is repeated under its number. */
  readonly run: number;
}

/** The days of the store that takes entries in, for the archiver. */
export interface ArchivableDays {
  /** The days that ended more than so many days ago, with entries that are not archived, oldest first. */
  due(hotDays: number): Promise<readonly DueDay[]>;
  /** The entries of the day that are not archived, in chunks. */
  chunks(day: number): AsyncIterable<readonly LogEntry[]>;
  /** Summarises these entries. */
  summary(day: number): Promise<EntriesSummary>;
  /**
   * Marks the day as archived by the run, and drops its entries. Resolves to false, and does nothing, if entries were stored since
   * there were so many.
   * @throws DomainError `busy` if the day is in use
   */
  finish(due: DueDay, count: number): Promise<boolean>;
  /** Runs the work unless another process does. Resolves to null if another one does. */
  alone<T>(work: () => Promise<T>): Promise<T | null>;
}

interface Dependencies {
  readonly archivable: ArchivableDays;
  readonly archive: Pick<LogArchive, 'append' | 'summary'>;
}

/** What became of a day. `changed`: entries arrived meanwhile, so that the next call copies it again. */
export interface ArchiveReport extends EntriesSummary {
  readonly day: number;
  readonly outcome: 'archived' | 'changed';
}

/**
 * Copies a day into the archive, compares both sides, and drops the day where it was. Every step may be repeated, and a call that
 * was interrupted anywhere is made good by the next one: the run is not part of the archive before the day is marked.
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
