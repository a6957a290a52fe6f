import { DAY_MS, type ArchivedDay } from '@plugin-config/domain';
import type { PageRange } from '../pages/page-range.ts';

/** A part of the time of a page whose days are in the same tiers. */
export interface Segment {
  readonly from: number;
  /** Not included. */
  readonly to: number;
  /** The days, if the archive has entries of them; beside it, PostgreSQL has those that arrived late. Else empty. */
  readonly days: readonly ArchivedDay[];
}

/** Divides the time of a page by where its days are, newest first. `days` are the archived ones, newest first. */
export function segmentsOf(
  { earliest, to }: Pick<PageRange, 'earliest' | 'to'>,
  days: readonly ArchivedDay[],
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
