import {
  DAY_MS,
  type CopiedDay,
  type DayCount,
  type LogFilter,
  type PageRequest,
} from '@plugin-config/domain';
import type { PageRange } from '../pages/counted-page.ts';
import { searchedCountBefore, searchedDays, searchedKeys, searchedPage } from '../pages/searched-page.ts';
import { sumOf } from './counted-tiers.ts';
import type { Copies } from './copies.ts';
import { keysInPostgres, mergedKeys, narrowedTo } from './merged-keys.ts';
import { segmentsOf } from './segments.ts';
import type { TierEntries } from './tier-entries.ts';
import type { ReadSnapshot, TierReader } from './tier-reader.ts';

interface Dependencies {
  readonly copies: Copies;
  readonly search: ReadSnapshot;
  readonly entries: TierEntries;
}

/** Reads pages by scanning both tiers, which yields the number of matches per day. */
export function searchedTiers({ copies, search, entries }: Dependencies): TierReader {
  return {
    page: async ({ record, filter, kinds, signal }, page) => {
      const found = await search(async (client, copied) => {
        const days = daysOf(filter, copied);
        if (days.length === 0) return searchedPage(client, record, kinds, { filter, page });
        const inPostgres = await searchedDays(client, record, kinds, filter);
        const counts = addUp(inPostgres, await copies.countByDay(record, filter, days, signal));
        const range = rangeOf(counts, page);
        if (range === null) return { count: sumOf(counts), items: [] };
        const segments = await keysInPostgres(
          segmentsOf(range, days),
          range,
          ({ to, earliest, skip, limit }) =>
            searchedKeys(client, record, kinds, {
              filter: { ...filter, ...narrowedTo(filter, earliest, to) },
              page: { offset: skip, limit },
            }),
        );
        const keys = await mergedKeys(copies, segments, { record, filter, range, signal });
        return { count: sumOf(counts), keys };
      });
      return 'items' in found ? found : { count: found.count, items: await entries.all(record, found.keys) };
    },

    countBefore: ({ record, filter, kinds, signal }, key) =>
      search(async (client, copied) => {
        const days = daysOf({ ...filter, after: new Date(key.timestamp.getTime() - 1) }, copied);
        const inPostgres = await searchedCountBefore(client, record, kinds, { filter, key });
        return days.length === 0
          ? inPostgres
          : inPostgres + (await copies.countBefore(record, filter, key, days, signal));
      }),
  };
}

/** Returns the days that may have matches. */
function daysOf(
  { after, before }: Pick<LogFilter, 'after' | 'before'>,
  days: readonly CopiedDay[],
): readonly CopiedDay[] {
  return days.filter(
    ({ day }) =>
      (after === null || after.getTime() < day + DAY_MS - 1) && (before === null || before.getTime() > day),
  );
}

/** Sums counts by day, newest first. */
function addUp(...counted: readonly (readonly DayCount[])[]): readonly DayCount[] {
  const sums = new Map<number, number>();
  for (const { day, count } of counted.flat()) sums.set(day, (sums.get(day) ?? 0) + count);
  return [...sums].map(([day, count]) => ({ day, count })).toSorted((a, b) => b.day - a.day);
}

/** Finds the range of days of a page; null if the page is past the end. */
function rangeOf(counts: readonly DayCount[], { offset, limit }: PageRequest): PageRange | null {
  const wanted = Math.min(limit, sumOf(counts) - offset);
  let [reached, skip, to] = [0, 0, 0];
  for (const { day, count } of counts) {
    if (to === 0 && reached + count > offset) [skip, to] = [offset - reached, day + DAY_MS];
    reached += count;
    if (to > 0 && reached >= offset + wanted) return { to, earliest: day, skip, limit: wanted };
  }
  return null;
}
