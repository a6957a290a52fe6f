import { DAY_MS, type PageRequest } from '@plugin-config/domain';

export interface DayCount {
  /** The start of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly count: number;
}

/** The days that hold the entries of a page, and the place of the page within them. */
export interface DaysOfPage {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** Finds the days of a page by their counts, newest first; null if the page is past the end. */
export function daysOfPage(counts: readonly DayCount[], { offset, limit }: PageRequest): DaysOfPage | null {
  let ahead = 0;
  let first: DayCount | null = null;
  let offsetInFirst = 0;
  for (const one of counts) {
    if (first === null && ahead + one.count > offset) {
      first = one;
      offsetInFirst = offset - ahead;
    }
    ahead += one.count;
    if (first !== null && ahead >= offset + limit)
      return { from: one.day, to: first.day + DAY_MS, offset: offsetInFirst };
  }
  const last = counts.at(-1);
  if (first === null || last === undefined) return null;
  return { from: last.day, to: first.day + DAY_MS, offset: offsetInFirst };
}
