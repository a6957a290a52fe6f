import type { StopSignal } from '@plugin-config/flow';
import { DomainError, notFound } from '../kernel/domain-error.ts';
import type { Page } from '../kernel/page.ts';
import type { LogEntryStore, LogFilter } from './log-entry-store.ts';
import type { EntryKey, LogEntry, LogRef } from './log-entry.ts';
import { matchesFilter } from './matches-filter.ts';

interface Dependencies {
  readonly logEntries: LogEntryStore;
}

interface EntryQuery {
  readonly id: string;
  readonly timestamp: Date | null;
}

/**
 * Returns an entry of a log by its id, and by its timestamp if known.
 * @throws DomainError `not_found`
 */
export async function findEntry(
  { logEntries }: Dependencies,
  record: LogRef,
  { id, timestamp }: EntryQuery,
  signal?: StopSignal,
): Promise<LogEntry> {
  const key = timestamp === null ? await logEntries.findKey(record, id, signal) : { id, timestamp };
  const entry = key === null ? null : await logEntries.entry(record, key);
  if (entry === null) throw notFound();
  return entry;
}

interface Around {
  readonly filter: LogFilter;
  readonly id: string;
  readonly limit: number;
}

interface PageAt extends Page<LogEntry> {
  readonly offset: number;
}

const MAX_ATTEMPTS = 3;

/**
 * Returns the page of a listing that contains the entry with this id. If new entries interfere, or the page is full
 * before reaching the entry, returns a page that starts with it.
 * @throws DomainError `does_not_exist`, attr `around`, if the listing has no such entry; otherwise as
 * `LogEntryStore.page`
 */
export async function pageAround(
  { logEntries }: Dependencies,
  record: LogRef,
  { filter, id, limit }: Around,
  signal?: StopSignal,
): Promise<PageAt> {
  const key = await logEntries.findKey(record, id, signal).catch(rejectSlowSearch);
  const entry = key === null ? null : await logEntries.entry(record, key);
  if (entry === null || !matchesFilter(filter)(entry)) throw notListed();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const before = await logEntries.countBefore(record, filter, entry, signal);
    const offset = attempt === 1 ? before - (before % limit) : before;
    const page = await logEntries.page(record, filter, { limit, offset }, signal);
    if (page.items.some((item) => isAt(item, entry))) return { ...page, offset };
  }
  throw notListed();
}

function isAt({ id, timestamp }: LogEntry, key: EntryKey): boolean {
  return id === key.id && timestamp.getTime() === key.timestamp.getTime();
}

/** Replaces the error about `timestamp`, which is not a parameter of listings. */
function rejectSlowSearch(error: unknown): never {
  if (!(error instanceof DomainError) || error.attr !== 'timestamp') throw error;
  const detail = 'Finding the entry takes too long; list the entries before its timestamp instead.';
  throw new DomainError('invalid_input', detail, { attr: 'around', cause: error });
}

function notListed(): DomainError {
  const detail = 'The log has no entry with this id that matches the other parameters.';
  return new DomainError('does_not_exist', detail, { attr: 'around' });
}
