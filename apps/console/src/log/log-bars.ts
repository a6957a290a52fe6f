import type { KnownLogType, LogCount, LogCountsQuery } from '@plugin-config/client';
import { LOG_SOURCES, LOG_TYPES } from '@plugin-config/domain/vocabulary';
import { formatCount } from '../ui/format.ts';
import type { LogAddress } from './log-address.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WIDTHS = { hour: HOUR_MS, day: DAY_MS } as const;
/** Longer ranges are shown by day. */
const HOURS_MAX = 48;
const DAYS_MAX = 400;
const TYPES: ReadonlySet<string> = new Set(LOG_TYPES);
const SOURCES: ReadonlySet<string> = new Set(LOG_SOURCES);

/** The types from the bottom of a bar to its top, most important first. */
const STACK = ['ERROR', 'WARN', 'INFO', 'LOG', 'DEBUG', 'other'] as const;

/** The buckets of a chart. All times are in milliseconds since 1970. */
export interface BarRange {
  readonly granularity: 'hour' | 'day';
  readonly from: number;
  readonly to: number;
}

/** The range that an address shows. It defaults to the last 24 hours, or to the week before its end. */
export function barRangeOf({ from, to }: Pick<LogAddress, 'from' | 'to'>, now: number): BarRange {
  const until = Date.parse(to);
  const end = Number.isNaN(until) ? now : until;
  const begin = Date.parse(from) || end - (Number.isNaN(until) ? DAY_MS : 7 * DAY_MS);
  const granularity = end - begin > HOURS_MAX * HOUR_MS ? 'day' : 'hour';
  const width = WIDTHS[granularity];
  const last = Math.ceil(end / width) * width;
  const first = Math.floor(Math.min(begin, end - 1) / width) * width;
  return { granularity, from: Math.max(first, last - DAYS_MAX * width), to: last };
}

/** The query for a chart; null for what is not counted: searches, instances, and custom types and sources. */
export function countsQueryOf(
  { types, source, search, instance }: Pick<LogAddress, 'types' | 'source' | 'search' | 'instance'>,
  { granularity, from, to }: BarRange,
): LogCountsQuery | null {
  if (search + instance !== '' || !types.every(isKnownType) || (source !== '' && !isKnownSource(source)))
    return null;
  return {
    granularity,
    from: new Date(from),
    to: new Date(to),
    ...(types.length > 0 && { type_filter: types }),
    ...(source !== '' && { source }),
  };
}

export interface Bar {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  /** From bottom to top: each type that has entries, with its share of the largest bar. */
  readonly parts: readonly { readonly type: string; readonly count: number; readonly share: number }[];
}

/** Returns a bar for each bucket of the range, even if empty. */
export function barsOf(counts: readonly LogCount[], { granularity, from, to }: BarRange): readonly Bar[] {
  const width = WIDTHS[granularity];
  const byStart = new Map(counts.map((one) => [Date.parse(one.start), one]));
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return Array.from({ length: (to - from) / width }, (_, index) => {
    const start = from + index * width;
    const { count = 0, types = {} } = byStart.get(start) ?? {};
    const parts = STACK.flatMap((type) => {
      const ofType = types[type] ?? 0;
      return ofType === 0 ? [] : [{ type, count: ofType, share: ofType / most }];
    });
    return { start, end: start + width, count, parts };
  });
}

/** Says how many entries the bars count, and the largest one. */
export function barsText(bars: readonly Bar[]): string {
  const counts = bars.map(({ count }) => count);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const width = bars.some(({ start, end }) => end - start > HOUR_MS) ? 'day' : 'hour';
  return `${formatCount(all)} ${all === 1 ? 'entry' : 'entries'}, at most ${formatCount(Math.max(0, ...counts))} per ${width}`;
}

export const isKnownType = (type: string): type is KnownLogType => TYPES.has(type);
const isKnownSource = (source: string): source is NonNullable<LogCountsQuery['source']> =>
  SOURCES.has(source);
