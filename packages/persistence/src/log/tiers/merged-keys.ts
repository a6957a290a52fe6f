import type { EntryKey, LogFilter, LogRef } from '@plugin-config/domain';
import type { StopSignal } from '@plugin-config/flow';
import type { PageRange } from '../pages/counted-page.ts';
import type { Segment } from './segments.ts';
import type { Copies } from './copies.ts';

/** A segment with its keys in PostgreSQL, newest first. */
export interface KeyedSegment extends Segment {
  readonly keys: readonly EntryKey[];
}

export type ReadKeys = (range: PageRange) => Promise<readonly EntryKey[]>;

/**
 * Reads the keys in PostgreSQL that can be on the page. In a segment of copied days, these are late entries. They are read
 * without skipping any, since the number to skip depends on the copies.
 */
export async function keysInPostgres(
  segments: readonly Segment[],
  { skip, limit }: PageRange,
  read: ReadKeys,
): Promise<readonly KeyedSegment[]> {
  const keyed: KeyedSegment[] = [];
  let found = 0;
  for (const [index, segment] of segments.entries()) {
    if (found >= limit) break;
    const skipped = index === 0 ? skip : 0;
    const isInPostgres = segment.days.length === 0;
    const range = { to: segment.to, earliest: segment.from };
    const keys = await read({
      ...range,
      ...(isInPostgres ? { skip: skipped, limit } : { skip: 0, limit: skipped + limit }),
    });
    if (isInPostgres) found += keys.length;
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

/** Merges the keys of both tiers into the keys of the page. */
export async function mergedKeys(
  copies: Copies,
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
    // At most `keys.length` skipped entries are in PostgreSQL, so the copies can skip all others before the merge.
    const skipped = index === 0 ? skip : 0;
    const rest = Math.min(skipped, keys.length);
    const copied = await copies.keys(
      record,
      { ...filter, ...narrowedTo(filter, from, to) },
      { days, skip: skipped - rest, limit: wanted + rest },
      signal,
    );
    merged.push(...[...keys, ...copied].toSorted(newestFirst).slice(rest, rest + wanted));
  }
  return merged;
}

export function narrowedTo(
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
