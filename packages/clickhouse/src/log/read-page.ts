import type { LogEntry, LogFilter, Page, PageRequest } from '@plugin-config/domain';
import { LOG_ENTRY } from '../schema/tables.ts';
import type { ClickHouse, Limits } from '../server/clickhouse.ts';
import { daysOfPage, type DayCount, type DaysOfPage } from './days-of-page.ts';
import { momentText } from './entry-keys.ts';
import { keysThatFit, readEntries, sizedKeyOf, type SizedKey } from './read-entries.ts';
import { conditionOf, type Condition } from './wanted-entries.ts';

export interface PageQuestion {
  readonly record: { readonly projectId: number; readonly id: number };
  readonly filter: LogFilter;
  readonly page: PageRequest;
  readonly earliest: number;
}

const TRIES = 3;

/**
 * Counts the entries of each day, finds the keys of the page in the days that hold it, and reads as many of their entries as
 * fit. Each query sees what is stored when it begins: new entries raise the count if the page reaches the end of the
 * log. A day that is dropped meanwhile takes entries away, so it is asked again.
 */
export async function readPage(
  clickHouse: ClickHouse,
  { record, page, ...wanted }: PageQuestion,
  limits: Limits,
): Promise<Page<LogEntry>> {
  const condition = conditionOf({ record, ...wanted });
  if (condition === null) return { count: 0, items: [] };
  for (let attempt = 1; ; attempt++) {
    const counts = await countByDay(clickHouse, condition, limits);
    const counted = counts.reduce((sum, { count }) => sum + count, 0);
    const days = daysOfPage(counts, page);
    if (days === null) return { count: counted, items: [] };
    const keys = await keysOfPage(clickHouse, condition, { days, limit: page.limit }, limits);
    const fitting = keysThatFit(keys);
    const items = await readEntries(clickHouse, record, fitting, limits);
    const expected = Math.min(page.limit, counted - page.offset);
    if (items.length === fitting.length && keys.length >= expected) {
      return { count: Math.max(counted, page.offset + keys.length), items };
    }
    if (attempt === TRIES) return { count: page.offset + items.length, items };
  }
}

/** The number of entries of each day that has any, newest first. */
export async function countByDay(
  { select }: ClickHouse,
  { text, parameters }: Condition,
  limits: Limits,
): Promise<readonly DayCount[]> {
  const rows = await select(
    `select toDate(timestamp) as day, count() from ${LOG_ENTRY} final where ${text} group by day order by day desc`,
    parameters,
    limits,
  );
  return rows.map(([day, count]) => ({
    day: Date.parse(`${String(day)}T00:00:00.000Z`),
    count: Number(count),
  }));
}

/** The keys of a page within the days that hold it, newest first. */
export async function keysOfPage(
  { select }: ClickHouse,
  { text, parameters }: Condition,
  { days: { from, to, offset }, limit }: { readonly days: DaysOfPage; readonly limit: number },
  limits: Limits,
): Promise<readonly SizedKey[]> {
  const within = `timestamp >= '${momentText(from)}' and timestamp < '${momentText(to)}'`;
  const rows = await select(
    `select toUnixTimestamp64Milli(timestamp), id, bytes from ${LOG_ENTRY} final where ${text} and ${within}
    order by timestamp desc, toUInt128(id) desc limit {limit:UInt32} offset {offset:UInt64}`,
    { ...parameters, limit, offset },
    limits,
  );
  return rows.map(sizedKeyOf);
}
