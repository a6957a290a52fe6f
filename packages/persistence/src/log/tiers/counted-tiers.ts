import { timedOut, startOfDay, type CopiedDay, type LogEntry, type PageRequest } from '@plugin-config/domain';
import { HOUR_MS, startOfHour } from '../hours/hour-counts.ts';
import { countBefore } from '../pages/count-from.ts';
import { countedPage, type PageRange } from '../pages/counted-page.ts';
import { ENTRY, entryOf, KEY } from '../entries/entry-columns.ts';
import { readEntries, readKeys } from '../pages/read-entries.ts';
import type { Copies } from './copies.ts';
import { keysInPostgres, mergedKeys, narrowedTo, type KeyedSegment } from './merged-keys.ts';
import { segmentsOf } from './segments.ts';
import type { TierEntries } from './tier-entries.ts';
import type { Query, ReadSnapshot, TierReader } from './tier-reader.ts';

interface Dependencies {
  readonly copies: Copies;
  readonly read: ReadSnapshot;
  readonly entries: TierEntries;
  copiedDays(): Promise<readonly CopiedDay[]>;
}

/** The days may change between reading the copies and reading PostgreSQL, but at most once a minute. */
const TRIES = 5;

type Found =
  | { readonly count: number; readonly items: readonly LogEntry[] }
  | { readonly count: number; readonly range: PageRange; readonly segments: readonly KeyedSegment[] };

/**
 * Reads pages with the counters, which count the entries of both tiers per hour. Copies are read outside of transactions, so
 * a slow read holds no connection. They never change until their day is dropped.
 */
export function countedTiers({ copies, read, entries, copiedDays }: Dependencies): TierReader {
  /** Counts the copied entries from a time to the end of its hour. */
  const copiedFrom = async (
    { record, filter, signal }: Query,
    moment: number,
    expectedDays: readonly CopiedDay[],
  ): Promise<number> => {
    const days = expectedDays.filter(({ day }) => day === startOfDay(moment));
    const nextHour = startOfHour(moment + HOUR_MS - 1);
    if (days.length === 0 || moment === nextHour) return 0;
    const hour = { ...filter, ...narrowedTo({ after: null, before: null }, moment, nextHour) };
    return sumOf(await copies.countByDay(record, hour, days, signal));
  };

  const findPage = async (query: Query, page: PageRequest): Promise<Found | null> => {
    const { record, filter, kinds } = query;
    const { after, before } = filter;
    const expectedDays = after === null && before === null ? null : await copiedDays();
    const copied = {
      before: before === null ? 0 : await copiedFrom(query, before.getTime(), expectedDays ?? []),
      after: after === null ? 0 : await copiedFrom(query, after.getTime() + 1, expectedDays ?? []),
    };
    return read(async (client, days) => {
      if (expectedDays !== null && !areSame(expectedDays, days)) return null;
      const { count, range } = await countedPage(client, record, kinds, { filter, page }, copied);
      if (range === null) return { count, items: [] };
      const segments = segmentsOf(range, days);
      if (segments.every((segment) => segment.days.length === 0)) {
        const rows = await readEntries(client, { record, kinds, ...range });
        return { count, items: rows.map((row) => entryOf(ENTRY.read(row), record)) };
      }
      const keyed = await keysInPostgres(segments, range, async (wanted) =>
        (await readKeys(client, { record, kinds, ...wanted })).map((row) => KEY.read(row)),
      );
      return { count, range, segments: keyed };
    });
  };

  return {
    page: async (query, page) => {
      for (let left = TRIES - 1; ; left--) {
        const found = await findPage(query, page);
        if (found !== null && 'items' in found) return found;
        if (found === null) {
          if (left === 0) throw timedOut();
          continue;
        }
        const { count, range, segments } = found;
        // `range` counts the skipped entries from the end of the hour, not from `before`.
        const filter = { ...query.filter, after: null, before: null };
        const keys = await mergedKeys(copies, segments, { ...query, filter, range });
        const items = await entries.all(query.record, keys);
        // There are fewer keys or items if a day was dropped in between.
        if ((keys.length === range.limit && items.length > 0) || left === 0) return { count, items };
      }
    },

    countBefore: async (query, key) => {
      const { record, filter, kinds, signal } = query;
      const time = key.timestamp.getTime();
      for (let left = TRIES - 1; ; left--) {
        const expectedDays = await copiedDays();
        const ofDay = expectedDays.filter(({ day }) => day === startOfDay(time));
        const hour = {
          ...filter,
          ...narrowedTo({ after: null, before: null }, time, startOfHour(time + HOUR_MS)),
        };
        const ahead = ofDay.length === 0 ? 0 : await copies.countBefore(record, hour, key, ofDay, signal);
        const tooNew =
          filter.before === null ? 0 : await copiedFrom(query, filter.before.getTime(), expectedDays);
        const counted = await read(async (client, days) =>
          areSame(expectedDays, days) ? countBefore(client, record, kinds, { filter, key }) : null,
        );
        if (counted !== null) return counted + ahead - tooNew;
        if (left === 0) throw timedOut();
      }
    },
  };
}

export function sumOf(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function areSame(a: readonly CopiedDay[], b: readonly CopiedDay[]): boolean {
  return a.length === b.length && a.every(({ day, run }, at) => b[at]?.day === day && b[at].run === run);
}
