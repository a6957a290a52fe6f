import type { EntryKey, LogArchive, LogFilter, LogRef } from '@plugin-config/domain';
import type { StopSignal } from '@plugin-config/flow';
import type { PageRange } from '../pages/page-range.ts';
import type { Segment } from './segments.ts';

/** A segment with the keys that PostgreSQL has of it, newest first. */
export interface KeyedSegment extends Segment {
  readonly keys: readonly EntryKey[];
}

/** Reads keys from PostgreSQL. */
export type ReadKeys = (range: PageRange) => Promise<readonly EntryKey[]>;

/**
 * Reads from PostgreSQL the keys that the page may have. In a segment of archived days, those are of entries that arrived late, and
 * they are read from its end on: which of them the page skips depends on the archive.
 */
export async function keysHere(
  segments: readonly Segment[],
  { skip, limit }: PageRange,
  read: ReadKeys,
): Promise<readonly KeyedSegment[]> {
  const keyed: KeyedSegment[] = [];
  let found = 0;
  for (const [index, segment] of segments.entries()) {
    if (found >= limit) break;
    const skipped = index === 0 ? skip : 0;
    const isHere = segment.days.length === 0;
    const range = { to: segment.to, earliest: segment.from };
    const keys = await read({
      ...range,
      ...(isHere ? { skip: skipped, limit } : { skip: 0, limit: skipped + limit }),
    });
    if (isHere) found += keys.length;
    keyed.push({ ...segment, keys });
  }
  return keyed;
}

interface Wanted {
  readonly record: LogRef;
  readonly filter: LogFilter;
  readonly range: PageRange;
  readonly signal: StopSignal | undefined;
}

/** The keys of the page: those of both tiers, merged. */
export async function mergedKeys(
  archive: Pick<LogArchive, 'keys'>,
  segments: readonly KeyedSegment[],
  { record, filter, range: { skip, limit }, signal }: Wanted,
): Promise<readonly EntryKey[]> {
  const merged: EntryKey[] = [];
  for (const [index, { from, to, days, keys }] of segments.entries()) {
    const wanted = limit - merged.length;
    if (wanted <= 0) break;
    if (days.length === 0) {
      merged.push(...keys.slice(0, wanted));
      continue;
    }
    // Whatever the order of both tiers, so many of the archive are skipped, and of the rest so many more.
    const skipped = index === 0 ? skip : 0;
    const rest = Math.min(skipped, keys.length);
    const archived = await archive.keys(
      record,
      { ...filter, ...within(filter, from, to) },
      { days, skip: skipped - rest, limit: wanted + rest },
      signal,
    );
    merged.push(...[...keys, ...archived].toSorted(newestFirst).slice(rest, rest + wanted));
  }
  return merged;
}

/** Narrows a filter to a time. */
export function within(
  { after, before }: Pick<LogFilter, 'after' | 'before'>,
  from: number,
  to: number,
): Pick<LogFilter, 'after' | 'before'> {
  return {
    after: new Date(Math.max(after?.getTime() ?? -Infinity, from - 1)),
    before: new Date(Math.min(before?.getTime() ?? Infinity, to)),
  };
}

function newestFirst(a: EntryKey, b: EntryKey): number {
  return b.timestamp.getTime() - a.timestamp.getTime() || (a.id < b.id ? 1 : -1);
}
