import {
  DomainError,
  searchTooLong,
  type EntriesSummary,
  type LogArchive,
  type LogEntry,
  type LogFilter,
} from '@plugin-config/domain';
import type { StopSignal } from '@plugin-config/flow';
import { LOG_ENTRY } from '../schema/tables.ts';
import type { ClickHouse, Limits } from '../server/clickhouse.ts';
import { serverErrorCode } from '../server/translate-error.ts';
import { countBefore, countByDay, findKey, readKeys } from './keys.ts';
import { dropPartitions } from './drop-partitions.ts';
import { eraseProject } from './erase-project.ts';
import { dayText, keyTable, momentText, spanOf } from './entry-keys.ts';
import { findEntries } from './find-entries.ts';
import { ofDays } from './wanted-entries.ts';

const SEARCH_TIMEOUT_MS = 5_000;
const INSERT = { timeLimitMs: 30_000 };
/** Kept short, because a batch waits for it while holding a connection to PostgreSQL. */
const LOOK_UP = { timeLimitMs: 3_000 };
/** Enough for a day with a hundred million entries. */
const SUMMARY = { timeLimitMs: 15 * 60_000 };
const TIMEOUT_EXCEEDED = 159;

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
  'run',
] as const;

interface Dependencies {
  readonly clickHouse: ClickHouse;
  readonly searchTimeoutMs?: number | undefined;
}

export function clickHouseArchive({
  clickHouse,
  searchTimeoutMs = SEARCH_TIMEOUT_MS,
}: Dependencies): LogArchive {
  /** @param filter null when a single entry is looked up */
  const read = async <T>(
    filter: LogFilter | null,
    signal: StopSignal | undefined,
    work: (limits: Limits) => Promise<T>,
  ): Promise<T> => {
    try {
      return await work({ timeLimitMs: searchTimeoutMs, signal: signal && abortSignalOf(signal) });
    } catch (error) {
      if (serverErrorCode(error) !== TIMEOUT_EXCEEDED) throw error;
      if (filter !== null) throw searchTooLong(filter, error);
      const detail = 'Finding the entry takes too long; give its timestamp.';
      throw new DomainError('invalid_input', detail, { attr: 'timestamp', cause: error });
    }
  };
  return {
    append: (entries, run) =>
      clickHouse.insert(
        LOG_ENTRY,
        [...COLUMNS],
        entries.map((entry) => rowOf(entry, run)),
        INSERT,
      ),

    summary: (day, run) => summarise(clickHouse, day, run),

    known: async (entries, days) => {
      if (entries.length === 0 || days.length === 0) return new Set();
      const rows = await clickHouse.select(
        `select record_id, toUnixTimestamp64Milli(timestamp), id from ${LOG_ENTRY} final
        where ${spanOf(entries)} and ${ofDays(days)} and (record_id, timestamp, id) in (select * from ${keyTable(entries)})`,
        {},
        LOOK_UP,
      );
      return new Set(rows.map(([recordId, time, id]) => [recordId, time, id].join(' ')));
    },

    countByDay: (record, filter, days, signal) =>
      read(filter, signal, (limits) => countByDay(clickHouse, { record, filter, days }, limits)),

    countBefore: (record, filter, key, days, signal) =>
      read(filter, signal, (limits) => countBefore(clickHouse, { record, filter, days }, key, limits)),

    keys: (record, filter, { days, ...range }, signal) =>
      read(filter, signal, (limits) => readKeys(clickHouse, { record, filter, days }, range, limits)),

    findKey: (record, id, days, signal) =>
      read(null, signal, (limits) => findKey(clickHouse, { record, id, days }, limits)),

    find: (record, keys, maxBytes) => findEntries(clickHouse, record, keys, maxBytes),

    eraseProject: (projectId) => eraseProject(clickHouse, projectId),
    dropBefore: (day) => dropPartitions(clickHouse, day),
  };
}

/** Sums the first six bytes of the digest of each entry, exactly as PostgreSQL does. */
async function summarise({ select }: ClickHouse, day: number, run: number): Promise<EntriesSummary> {
  const text = `concat(toString(record_id), ' ', toString(toUnixTimestamp64Milli(timestamp)), ' ', toString(id), ' ', message)`;
  const [row] = await select(
    `select count(), toString(sum(reinterpretAsUInt64(reverse(substring(toString(MD5(${text})), 1, 6)))))
    from ${LOG_ENTRY} final where toDate(timestamp) = '${dayText(day)}' and run = {run:UInt32}`,
    { run },
    SUMMARY,
  );
  return { count: Number(row?.[0] ?? 0), digest: row === undefined ? '0' : String(row[1]) };
}

function rowOf(entry: LogEntry, run: number): readonly unknown[] {
  const { recordId, timestamp, id, projectId, plugin, source, type, message, instanceId } = entry;
  return [
    recordId,
    momentText(timestamp.getTime()),
    id,
    projectId,
    plugin,
    source,
    type,
    message,
    instanceId,
    run,
  ];
}

function abortSignalOf(signal: StopSignal): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort());
  return controller.signal;
}
