import type { CopiedDay, DayCount, EntryKey, LogRef } from '@plugin-config/domain';
import { LOG_ENTRY } from '../schema/tables.ts';
import type { ClickHouse, Limits } from '../server/clickhouse.ts';
import { momentText, OF_LOG } from './entry-keys.ts';
import { conditionOf, ofDays, type Wanted } from './wanted-entries.ts';

/** Counts the entries per day, newest day first. Days without entries are left out. */
export async function countByDay(
  { select }: ClickHouse,
  wanted: Wanted,
  limits: Limits,
): Promise<readonly DayCount[]> {
  const condition = conditionOf(wanted);
  if (condition === null) return [];
  const rows = await select(
    `select toDate(timestamp) as day, count() from ${LOG_ENTRY} final where ${condition.text} group by day order by day desc`,
    condition.parameters,
    limits,
  );
  return rows.map(([day, count]) => ({
    day: Date.parse(`${String(day)}T00:00:00.000Z`),
    count: Number(count),
  }));
}

/** Counts the matches that precede this entry in a listing. */
export async function countBefore(
  { select }: ClickHouse,
  wanted: Wanted,
  { timestamp, id }: EntryKey,
  limits: Limits,
): Promise<number> {
  const condition = conditionOf(wanted);
  if (condition === null) return 0;
  const moment = momentText(timestamp.getTime());
  const [row] = await select(
    `select count() from ${LOG_ENTRY} final where ${condition.text} and timestamp >= '${moment}'
    and (timestamp > '${moment}' or toUInt128(id) > toUInt128({id:UUID}))`,
    { ...condition.parameters, id },
    limits,
  );
  return Number(row?.[0] ?? 0);
}

interface Range {
  readonly skip: number;
  readonly limit: number;
}

export async function readKeys(
  { select }: ClickHouse,
  wanted: Wanted,
  { skip, limit }: Range,
  limits: Limits,
): Promise<readonly EntryKey[]> {
  const condition = conditionOf(wanted);
  if (condition === null) return [];
  const rows = await select(
    `select toUnixTimestamp64Milli(timestamp), id from ${LOG_ENTRY} final where ${condition.text}
    order by timestamp desc, toUInt128(id) desc limit {limit:UInt32} offset {skip:UInt64}`,
    { ...condition.parameters, limit, skip },
    limits,
  );
  return rows.map(([time, id]) => ({ timestamp: new Date(Number(time)), id: String(id) }));
}

interface Sought {
  readonly record: LogRef;
  readonly id: string;
  readonly days: readonly CopiedDay[];
}

/** Finds the key of the newest entry with this id. */
export async function findKey(
  { select }: ClickHouse,
  { record, id, days }: Sought,
  limits: Limits,
): Promise<EntryKey | null> {
  if (days.length === 0) return null;
  const [row] = await select(
    `select toUnixTimestamp64Milli(timestamp) from ${LOG_ENTRY}
    where ${OF_LOG} and ${ofDays(days)} and id = {id:UUID} order by timestamp desc limit 1`,
    { record: record.id, project: record.projectId, id },
    limits,
  );
  return row === undefined ? null : { id, timestamp: new Date(Number(row[0])) };
}
