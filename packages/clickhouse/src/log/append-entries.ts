import {
  DomainError,
  isStorable,
  type AnnouncementId,
  type Announcing,
  type LogEntry,
} from '@plugin-config/domain';
import { LOG_ENTRY } from '../schema/tables.ts';
import type { ClickHouse } from '../server/clickhouse.ts';
import { keyTable, momentText, spanOf } from './entry-keys.ts';

/** Longer than a slow insert takes, and short enough for callers that wait. */
const LIMITS = { timeLimitMs: 8_000 };

const COLUMNS = [
  'record_id',
  'timestamp',
  'id',
  'project_id',
  'plugin',
  'source',
  'type',
  'message',
  'instance_id',
  'announced_in',
] as const;

/**
 * Inserts the entries that are not stored. Only entries of followed logs are looked up: a look-up takes the server four
 * times as long as an insert, and an entry that is inserted twice is listed once.
 */
export async function appendEntries(
  clickHouse: ClickHouse,
  entries: readonly LogEntry[],
  { announcement, isFollowed }: Announcing,
): Promise<readonly (AnnouncementId | null)[]> {
  if (entries.length === 0) return [];
  for (const { message } of entries) checkStorable(message);
  const ofFollowedLogs = entries.filter(({ recordId }) => isFollowed(recordId));
  const stored = await findStored(clickHouse, ofFollowedLogs);
  const before = entries.map((entry) => stored.get(entryName(entry)) ?? null);
  const rows = entries.filter((_, at) => before[at] === null).map((entry) => rowOf(entry, announcement));
  if (rows.length > 0) await clickHouse.insert(LOG_ENTRY, [...COLUMNS], rows, LIMITS);
  return before;
}

/** The announcements of the entries that are stored, by their names. */
async function findStored(
  { select }: ClickHouse,
  entries: readonly LogEntry[],
): Promise<ReadonlyMap<string, AnnouncementId>> {
  if (entries.length === 0) return new Map();
  const rows = await select(
    `select record_id, toUnixTimestamp64Milli(timestamp), id, toString(announced_in) from ${LOG_ENTRY} final
    where ${spanOf(entries)} and (record_id, timestamp, id) in (select * from ${keyTable(entries)})`,
    {},
    LIMITS,
  );
  return new Map(
    rows.map(([recordId, time, id, announcedIn]) => [[recordId, time, id].join(' '), String(announcedIn)]),
  );
}

function entryName({ recordId, timestamp, id }: LogEntry): string {
  return `${recordId} ${timestamp.getTime()} ${id}`;
}

function rowOf(entry: LogEntry, announcedIn: AnnouncementId): readonly unknown[] {
  const { recordId, timestamp, id, projectId, plugin, source, type, message, instanceId } = entry;
  const at = momentText(timestamp.getTime());
  return [recordId, at, id, projectId, plugin, source, type, message, instanceId, announcedIn];
}

function checkStorable(message: string): void {
  if (isStorable(message)) return;
  throw new DomainError('invalid_input', 'Something in the batch cannot be stored.');
}
