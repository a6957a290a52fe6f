import { DAY_MS, type EntryKey, type LogFilter } from '@plugin-config/domain';
import type { ClickHouse, Limits } from '../server/clickhouse.ts';
import { daysOfPage } from './days-of-page.ts';
import { countByDay, keysOfPage } from './read-page.ts';
import { conditionOf } from './wanted-entries.ts';

interface KeysQuestion {
  readonly record: { readonly projectId: number; readonly id: number };
  readonly filter: LogFilter;
  readonly limit: number;
  readonly earliest: number;
}

/** The newest keys. A search goes from day to day until it has found enough. */
export async function newestKeys(
  clickHouse: ClickHouse,
  { record, filter, limit, earliest }: KeysQuestion,
  limits: Limits,
): Promise<readonly EntryKey[]> {
  const condition = conditionOf({ record, filter, earliest });
  const ofDays = conditionOf({ record, filter: { ...filter, search: null }, earliest });
  if (condition === null || ofDays === null) return [];
  const counts = await countByDay(clickHouse, ofDays, limits);
  const read = async (
    days: { readonly from: number; readonly to: number },
    left: number,
  ): Promise<readonly EntryKey[]> => {
    const wanted = { days: { ...days, offset: 0 }, limit: left };
    const keys = await keysOfPage(clickHouse, condition, wanted, limits);
    return keys.map(({ timestamp, id }) => ({ timestamp, id }));
  };
  if (filter.search === null) {
    const days = daysOfPage(counts, { offset: 0, limit });
    return days === null ? [] : read(days, limit);
  }
  const found: EntryKey[] = [];
  for (const { day } of counts) {
    if (found.length >= limit) break;
    found.push(...(await read({ from: day, to: day + DAY_MS }, limit - found.length)));
  }
  return found;
}
