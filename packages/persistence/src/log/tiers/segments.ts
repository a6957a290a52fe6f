import { DAY_MS, type CopiedDay } from '@plugin-config/domain';
import type { PageRange } from '../pages/counted-page.ts';

/** A part of the time range of a page whose days are either copied or not. */
export interface Segment {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** The copied days, whose late entries are in PostgreSQL; empty if all entries are in PostgreSQL. */
  readonly days: readonly CopiedDay[];
}

/** Splits the time range of a page by tier, newest first. `days` are the copied days, newest first. */
export function segmentsOf(
  { earliest, to }: Pick<PageRange, 'earliest' | 'to'>,
  days: readonly CopiedDay[],
): readonly Segment[] {
  const segments: Segment[] = [];
  let end = to;
  for (const one of days) {
    const [from, until] = [Math.max(one.day, earliest), Math.min(one.day + DAY_MS, end)];
    if (from >= until) continue;
    if (until < end) segments.push({ from: until, to: end, days: [] });
    const last = segments.at(-1);
    if (last !== undefined && last.days.length > 0 && last.from === until) {
      segments[segments.length - 1] = { ...last, from, days: [...last.days, one] };
    } else segments.push({ from, to: until, days: [one] });
    end = from;
  }
  if (end > earliest) segments.push({ from: earliest, to: end, days: [] });
  return segments;
}
