import { entryName, type EntryKey, type LogRef } from '../log/log-entry.ts';
import { KEYS_MAX, type LogEntryStore, type LogFilter } from '../log/log-entry-store.ts';
import type { Deadline } from '@plugin-config/flow';
import { timedOut } from '../kernel/domain-error.ts';
import { SEQUENCE_READ_MAX, type LogSequence, type LogPosition } from './log-sequence.ts';

export const TAIL_MAX = 1000;
/** Limits how many chunks of sequence numbers are read for one tail. */
const READS_MAX = KEYS_MAX / SEQUENCE_READ_MAX;

interface Dependencies {
  readonly sequence: Pick<LogSequence, 'after'>;
  readonly log: Pick<LogEntryStore, 'newestKeys'>;
}

interface Tail {
  readonly record: LogRef;
  readonly filter: LogFilter;
  readonly deadline: Deadline;
  /** Entries after it are not part of the tail. */
  readonly position: LogPosition;
  /** The number of entries, or the entry after which the rest starts. */
  readonly extent: number | EntryKey;
  /** How many of the newest entries to search for the tail. */
  readonly most: number;
}

/**
 * Returns the keys of the newest matching entries, oldest first, to show before continuing at the position. Entries after the
 * position are left out, because the stream sends them later.
 *
 * Null if the tail cannot be determined: too many entries follow the position, or the entry in `extent`.
 */
export async function tailKeys(dependencies: Dependencies, tail: Tail): Promise<readonly EntryKey[] | null> {
  const newest = await newestKeys(dependencies, tail);
  const later = await entriesAfter(dependencies, tail);
  if (newest === null || later === null) return null;
  const tailOrRest = newest.filter((key) => !later.has(entryName(key))).toReversed();
  return tailOrRest.length > TAIL_MAX ? null : tailOrRest;
}

async function newestKeys(
  { log }: Dependencies,
  { record, filter, deadline, extent, most }: Tail,
): Promise<readonly EntryKey[] | null> {
  if (most === 0) return [];
  if (deadline.remainingMs() <= 0) throw timedOut();
  if (typeof extent === 'number') return log.newestKeys(record, filter, most);
  if (most > KEYS_MAX) return null;
  const since = new Date(extent.timestamp.getTime() - 1);
  const keys = await log.newestKeys(record, { ...filter, after: latest(filter.after, since) }, most);
  const newer = keys.filter((key) => isNewer(key, extent));
  return newer.length === most ? null : newer;
}

async function entriesAfter(
  { sequence }: Dependencies,
  { record, deadline, position }: Tail,
): Promise<ReadonlySet<string> | null> {
  const names = new Set<string>();
  let { number } = position;
  for (let reads = 0; reads < READS_MAX; reads++) {
    if (deadline.remainingMs() <= 0) throw timedOut();
    const chunk = await sequence.after(record, { ...position, number });
    if (chunk === null) return null;
    for (const entry of chunk) names.add(entryName(entry));
    if (chunk.length < SEQUENCE_READ_MAX) return names;
    number = chunk.at(-1)?.number ?? number;
  }
  return null;
}

function latest(a: Date | null, b: Date): Date {
  return a === null || b > a ? b : a;
}

/** Whether the listing shows this entry before the other. */
function isNewer({ timestamp, id }: EntryKey, other: EntryKey): boolean {
  return timestamp > other.timestamp || (timestamp.getTime() === other.timestamp.getTime() && id > other.id);
}
