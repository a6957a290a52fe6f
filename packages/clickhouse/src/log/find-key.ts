import type { EntryKey, LogFilter, LogRef } from '@plugin-config/domain';
import { LOG_ENTRY } from '../schema/tables.ts';
import type { ClickHouse, Limits } from '../server/clickhouse.ts';
import { momentText, OF_LOG } from './entry-keys.ts';
import { conditionOf, FIRST } from './wanted-entries.ts';

interface Sought {
  readonly record: LogRef;
  readonly id: string;
  readonly earliest: number;
}

/** Finds the key of the newest entry with this id. */
export async function findKey(
  { select }: ClickHouse,
  { record, id, earliest }: Sought,
  limits: Limits,
): Promise<EntryKey | null> {
  const [row] = await select(
    `select toUnixTimestamp64Milli(timestamp) from ${LOG_ENTRY}
    where ${OF_LOG} and timestamp >= '${momentText(Math.max(earliest, FIRST))}' and id = {id:UUID} order by timestamp desc limit 1`,
    { record: record.id, project: record.projectId, id },
    limits,
  );
  return row === undefined ? null : { id, timestamp: new Date(Number(row[0])) };
}

interface Counted {
  readonly record: LogRef;
  readonly filter: LogFilter;
  readonly key: EntryKey;
  readonly earliest: number;
}

/** Counts the matches that a listing has before this entry. */
export async function countBefore(
  { select }: ClickHouse,
  { record, filter, key, earliest }: Counted,
  limits: Limits,
): Promise<number> {
  const time = key.timestamp.getTime();
  const condition = conditionOf({ record, filter, earliest: Math.max(earliest, time) });
  if (condition === null) return 0;
  const moment = momentText(time);
  const [row] = await select(
    `select count() from ${LOG_ENTRY} final where ${condition.text}
    and (timestamp > '${moment}' or toUInt128(id) > toUInt128({id:UUID}))`,
    { ...condition.parameters, id: key.id },
    limits,
  );
  return Number(row?.[0] ?? 0);
}
