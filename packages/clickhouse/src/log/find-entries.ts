import { entryName, itemsThatFit, type EntryKey, type LogEntry, type LogRef } from '@plugin-config/domain';
import { LOG_ENTRY } from '../schema/tables.ts';
import type { ClickHouse, Row } from '../server/clickhouse.ts';
import { keyTable, OF_LOG, spanOf } from './entry-keys.ts';
import { isStorableTime } from './wanted-entries.ts';

const LIMITS = { timeLimitMs: 5_000 };

interface SizedKey extends EntryKey {
  readonly bytes: number;
}

/** Looks up entries by their keys: first their sizes, then as many of them as fit. */
export async function findEntries(
  clickHouse: ClickHouse,
  record: LogRef,
  keys: readonly EntryKey[],
  maxBytes: number,
): Promise<readonly LogEntry[]> {
  const possible = keys.filter(({ timestamp }) => isStorableTime(timestamp.getTime()));
  if (possible.length === 0) return [];
  const sizes = await findSizes(clickHouse, record, possible);
  const stored = keys.flatMap((key) => sizes.get(entryName(key)) ?? []);
  return readEntries(
    clickHouse,
    record,
    itemsThatFit(stored, ({ bytes }) => bytes, maxBytes),
  );
}

function sizedKeyOf([time, id, bytes]: Row): SizedKey {
  return { timestamp: new Date(Number(time)), id: String(id), bytes: Number(bytes) };
}

/** Returns the sizes of the entries that exist, by `entryName`. */
async function findSizes(
  { select }: ClickHouse,
  record: LogRef,
  keys: readonly EntryKey[],
): Promise<ReadonlyMap<string, SizedKey>> {
  const rows = await select(
    `select toUnixTimestamp64Milli(timestamp), id, bytes from ${LOG_ENTRY} final where ${OF_LOG} and ${hasKeys(record, keys)}`,
    { record: record.id, project: record.projectId },
    LIMITS,
  );
  return new Map(rows.map((row) => [entryName(sizedKeyOf(row)), sizedKeyOf(row)]));
}

/** Returns the entries that exist, in the order of the keys. */
async function readEntries(
  { select }: ClickHouse,
  record: LogRef,
  keys: readonly EntryKey[],
): Promise<readonly LogEntry[]> {
  if (keys.length === 0) return [];
  const rows = await select(
    `select toUnixTimestamp64Milli(timestamp), id, plugin, source, type, message, instance_id
    from ${LOG_ENTRY} final where ${OF_LOG} and ${hasKeys(record, keys)}`,
    { record: record.id, project: record.projectId },
    LIMITS,
  );
  const entries = new Map(rows.map((row) => entryOf(row, record)).map((entry) => [entryName(entry), entry]));
  return keys.flatMap((key) => entries.get(entryName(key)) ?? []);
}

function hasKeys({ id: recordId }: LogRef, keys: readonly EntryKey[]): string {
  const table = keyTable(keys.map(({ timestamp, id }) => ({ timestamp, id, recordId })));
  return `${spanOf(keys)} and (record_id, timestamp, id) in (select * from ${table})`;
}

function entryOf(
  [time, id, plugin, source, type, message, instanceId]: Row,
  { projectId, id: recordId }: LogRef,
): LogEntry {
  return {
    id: String(id),
    projectId,
    plugin: Number(plugin),
    recordId,
    timestamp: new Date(Number(time)),
    source: String(source),
    type: String(type),
    message: String(message),
    instanceId: String(instanceId),
  };
}
