import {
  timedOut,
  startOfDay,
  type ArchivedDay,
  type LogArchive,
  type LogEntry,
  type PageRequest,
} from '@plugin-config/domain';
import { HOUR_MS, startOfHour } from '../hours/hour-counts.ts';
import { countBefore } from '../pages/count-from.ts';
import { countedPage, type PageRange } from '../pages/counted-page.ts';
import { ENTRY, entryOf, KEY } from '../entries/entry-columns.ts';
import { readEntries, readKeys } from '../pages/read-entries.ts';
import { keysInPostgres, mergedKeys, narrowedTo, type KeyedSegment } from './merged-keys.ts';
import { segmentsOf } from './segments.ts';
import type { TierEntries } from './tier-entries.ts';
import type { Query, ReadSnapshot, TierReader } from './tier-reader.ts';

interface Dependencies {
  readonly archive: LogArchive;
  readonly read: ReadSnapshot;
  readonly entries: TierEntries;
  archivedDays(): Promise<readonly ArchivedDay[]>;
}

/** The days may change between reading the archive and reading PostgreSQL, but at most once a minute. */
const TRIES = 5;

type Found =
  | { readonly count: number; readonly items: readonly LogEntry[] }
  | { readonly count: number; readonly range: PageRange; readonly segments: readonly KeyedSegment[] };

/**
 * Reads pages with the counters, which count the entries of both tiers per hour. The archive is read outside of transactions, so
 * a slow archive holds no connection. Archived runs never change until their day is dropped.
 */
export function countedTiers({ archive, read, entries, archivedDays }: Dependencies): TierReader {
  /** Counts the archived entries from a time to the end of its hour. */
  const archivedFrom = async (
    { record, filter, signal }: Query,
    moment: number,
    expectedDays: readonly ArchivedDay[],
  ): Promise<number> => {
    const days = expectedDays.filter(({ day }) => day === startOfDay(moment));
    const nextHour = startOfHour(moment + HOUR_MS - 1);
    if (days.length === 0 || moment === nextHour) return 0;
    const hour = { ...filter, ...narrowedTo({ after: null, before: null }, moment, nextHour) };
    return sumOf(await archive.countByDay(record, hour, days, signal));
  };

  const findPage = async (query: Query, page: PageRequest): Promise<Found | null> => {
    const { record, filter, kinds } = query;
    const { after, before } = filter;
    const expectedDays = after === null && before === null ? null : await archivedDays();
    const archived = {
      before: before === null ? 0 : await archivedFrom(query, before.getTime(), expectedDays ?? []),
      after: after === null ? 0 : await archivedFrom(query, after.getTime() + 1, expectedDays ?? []),
    };
    return read(async (client, days) => {
      if (expectedDays !== null && !areSame(expectedDays, days)) return null;
      const { count, range } = await countedPage(client, record, kinds, { filter, page }, archived);
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
        const keys = await mergedKeys(archive, segments, { ...query, filter, range });
        const items = await entries.all(query.record, keys);
        // There are fewer keys or items if a day was dropped in between.
        if ((keys.length === range.limit && items.length > 0) || left === 0) return { count, items };
      }
    },

    countBefore: async (query, key) => {
      const { record, filter, kinds, signal } = query;
      const time = key.timestamp.getTime();
      for (let left = TRIES - 1; ; left--) {
        const expectedDays = await archivedDays();
        const ofDay = expectedDays.filter(({ day }) => day === startOfDay(time));
        const moment = { ...filter, ...narrowedTo({ after: null, before: null }, time, time + 1) };
        const newer = await archivedFrom(query, time + 1, expectedDays);
        const equal = ofDay.length === 0 ? 0 : await archive.countBefore(record, moment, key, ofDay, signal);
        const tooNew =
          filter.before === null ? 0 : await archivedFrom(query, filter.before.getTime(), expectedDays);
        const counted = await read(async (client, days) =>
          areSame(expectedDays, days) ? countBefore(client, record, kinds, { filter, key }) : null,
        );
        if (counted !== null) return counted + newer + equal - tooNew;
        if (left === 0) throw timedOut();
      }
    },
  };
}

export function sumOf(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function areSame(a: readonly ArchivedDay[], b: readonly ArchivedDay[]): boolean {
  return a.length === b.length && a.every(({ day, run }, at) => b[at]?.day === day && b[at].run === run);
}
