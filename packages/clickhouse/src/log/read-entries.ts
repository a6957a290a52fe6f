import { itemsThatFit, type EntryKey, type LogEntry, type LogRef } from '@plugin-config/domain';
import { LOG_ENTRY } from '../schema/tables.ts';
import type { ClickHouse, Limits, Row } from '../server/clickhouse.ts';
import { keyTable, OF_LOG, spanOf } from './entry-keys.ts';

/** A key with the bytes of its message. */
export interface SizedKey extends EntryKey {
  readonly bytes: number;
}

function sizedKeyOf([time, id, bytes]: Row): SizedKey {
  return { timestamp: new Date(Number(time)), id: String(id), bytes: Number(bytes) };
}

/** The first keys whose messages fit into the bytes; at least one. */
export function keysThatFit(keys: readonly SizedKey[], maxBytes?: number): readonly SizedKey[] {
  return itemsThatFit(keys, ({ bytes }) => bytes, maxBytes);
}

/** The sizes of the stored ones of these entries, by their names. */
export async function findSizes(
  { select }: ClickHouse,
  record: LogRef,
  keys: readonly EntryKey[],
  limits: Limits,
): Promise<ReadonlyMap<string, SizedKey>> {
  const rows = await select(
    `select toUnixTimestamp64Milli(timestamp), id, bytes from ${LOG_ENTRY} final where ${OF_LOG} and ${amongst(record, keys)}`,
    { record: record.id, project: record.projectId },
    limits,
  );
  return new Map(rows.map((row) => [entryName(sizedKeyOf(row)), sizedKeyOf(row)]));
}

/** The stored ones of these entries, in the order of the keys. */
export async function readEntries(
  { select }: ClickHouse,
  record: LogRef,
  keys: readonly EntryKey[],
  limits: Limits,
): Promise<readonly LogEntry[]> {
  if (keys.length === 0) return [];
  const rows = await select(
    `select toUnixTimestamp64Milli(timestamp), id, plugin, source, type, message, instance_id
    from ${LOG_ENTRY} final where ${OF_LOG} and ${amongst(record, keys)}`,
    { record: record.id, project: record.projectId },
    limits,
  );
  const entries = new Map(rows.map((row) => entryOf(row, record)).map((entry) => [entryName(entry), entry]));
  return keys.flatMap((key) => entries.get(entryName(key)) ?? []);
}

function amongst({ id: recordId }: LogRef, keys: readonly EntryKey[]): string {
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

export function entryName({ timestamp, id }: EntryKey): string {
  return `${timestamp.getTime()} ${id}`;
}
