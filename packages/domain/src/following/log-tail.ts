import type { EntryKey, LogEntry, LogRef } from '../log/log-entry.ts';
import { KEYS_MAX, type LogEntryStore, type LogFilter } from '../log/log-entry-store.ts';
import type { Deadline } from '@plugin-config/flow';
import { timedOut } from '../kernel/domain-error.ts';
import { SEQUENCE_READ_MAX, type LogSequence, type LogPosition } from './log-sequence.ts';

export const TAIL_MAX = 1000;
/** The limit of the chunks of sequence numbers that are read for one tail. */
const READS_MAX = KEYS_MAX / SEQUENCE_READ_MAX;

interface Dependencies {
  readonly sequence: Pick<LogSequence, 'after'>;
  readonly log: Pick<LogEntryStore, 'newestKeys'>;
}

interface Tail {
  readonly record: LogRef;
  readonly filter: LogFilter;
  readonly deadline: Deadline;
  /** Entries that arrive after it are no part of the tail. */
  readonly position: LogPosition;
  /** The number of entries, or the entry after which the rest begins. */
  readonly extent: number | EntryKey;
  /** The limit of the newest entries among which the tail is found. */
  readonly most: number;
}

/**
 * The keys of the newest entries that match, oldest first: the entries that a stream shows before it goes on at the position.
 * What arrived after the position is left out, since the stream sends it later.
 *
 * Null if the tail cannot be told: too many entries have arrived since, or the extent is no entry of a tail.
 */
export async function tailKeys(dependencies: Dependencies, tail: Tail): Promise<readonly EntryKey[] | null> {
  const newest = await newestKeys(dependencies, tail);
  const arrived = await arrivedSince(dependencies, tail);
  if (newest === null || arrived === null) return null;
  const tailOrRest = newest.filter((key) => !arrived.has(entryName(key))).toReversed();
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
  const keys = await log.newestKeys(record, { ...filter, after: later(filter.after, since) }, most);
  const newer = keys.filter((key) => isNewer(key, extent));
  return newer.length === most ? null : newer;
}

async function arrivedSince(
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

function later(a: Date | null, b: Date): Date {
  return a === null || b > a ? b : a;
}

/** Whether the listing shows it before the other entry. */
function isNewer({ timestamp, id }: EntryKey, other: EntryKey): boolean {
  return timestamp > other.timestamp || (timestamp.getTime() === other.timestamp.getTime() && id > other.id);
}

export function entryName({ timestamp, id }: Pick<LogEntry, 'timestamp' | 'id'>): string {
  return `${timestamp.getTime()} ${id}`;
}
