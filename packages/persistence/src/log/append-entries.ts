import {
  archivedName,
  DomainError,
  startOfDay,
  type AppendOutcomes,
  type ArchivedDay,
  type LogArchive,
  type LogEntry,
} from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { run, type Statement } from '../postgres/statement.ts';
import type { LogEdges } from './days/log-days.ts';
import { areInPostgres } from './entries/are-in-postgres.ts';
import { byKey, isSameEntry, type EntryRow } from './entries/entry-row.ts';
import type { InsertEntries } from './entries/insert-entries.ts';
import { incrementHours } from './hours/increment-hours.ts';
import { kindOf, sourceTypeOf } from './entries/kinds.ts';

/** The transaction of a batch is idle while the archive is queried for late entries. */
const IDLE_MS = 10_000;

/**
 * Begins a transaction that writes logs. No day can be archived or dropped until it ends. To avoid deadlocks, these transactions
 * lock in this order: dead letters, the usage of projects with a quota, entries, hours, followed logs, errors, families, records,
 * due rates, delivery ids, sums of deliveries, the usage of other projects, new dead letters.
 */
export const TO_WRITE_LOGS = `begin; ${ROW_BY_ROW}; set local idle_in_transaction_session_timeout = ${IDLE_MS}; lock table only log_entry in row exclusive mode`;

/** Thrown by a transaction that writes to days without prepared partitions. */
export class UnpreparedDays extends Error {
  override readonly name = 'UnpreparedDays';
  readonly days: readonly number[];

  constructor(days: readonly number[]) {
    super('The partitions of some days are not prepared yet.');
    this.days = days;
  }
}

interface Options {
  readonly insert: InsertEntries;
  readonly archive: LogArchive;
  readonly edges: LogEdges;
}

/**
 * Stores and counts the entries that neither PostgreSQL nor the archive has, within a transaction that writes logs. The
 * partitions of their days must exist.
 * @throws UnpreparedDays if a day is archived and has no partition yet
 */
export async function appendEntries(
  client: pg.ClientBase,
  { insert, archive, edges }: Options,
  entries: readonly LogEntry[],
): Promise<AppendOutcomes> {
  const late = entries.filter(({ timestamp }) => isLate(timestamp.getTime(), edges));
  const archived = late.length === 0 ? NOTHING_ARCHIVED : await findArchived(client, archive, late);
  const rows: IndexedRow[] = [];
  const outcomes: AppendOutcomes[number][] = entries.map((entry, index) => {
    const time = entry.timestamp.getTime();
    if (time < edges.earliest) return 'too_old';
    if (isLate(time, edges) && archived.isUnknown(time)) return 'unavailable';
    if (!archived.names.has(archivedName(entry))) rows.push(rowOf(entry, index));
    return 'duplicate';
  });
  if (rows.length === 0) return outcomes;
  const inserted = await insert(client, sortedOnce(rows));
  if (inserted.length > 0) await incrementHours(client, inserted);
  for (const { index } of inserted) outcomes[index] = 'stored';
  return outcomes;
}

/**
 * Returns whether each entry is stored in PostgreSQL or the archive. While the archive is unavailable, entries of archived days
 * count as stored.
 */
export async function areStored(
  client: pg.ClientBase,
  { archive, edges }: Omit<Options, 'insert'>,
  entries: readonly LogEntry[],
): Promise<readonly boolean[]> {
  const inPostgres = await areInPostgres(client, entries);
  const late = entries.filter(({ timestamp }) => isLate(timestamp.getTime(), edges));
  const archived = late.length === 0 ? NOTHING_ARCHIVED : await findArchived(client, archive, late);
  return entries.map(
    (entry, at) =>
      inPostgres[at] === true ||
      archived.names.has(archivedName(entry)) ||
      archived.isUnknown(entry.timestamp.getTime()),
  );
}

function isLate(time: number, { earliest, archivedUntil }: LogEdges): boolean {
  return time >= earliest && time < archivedUntil;
}

interface Archived {
  readonly names: ReadonlySet<string>;
  /** Returns whether the day of a time is archived, but the archive is unavailable. */
  isUnknown(time: number): boolean;
}

const NOTHING_ARCHIVED: Archived = { names: new Set(), isUnknown: () => false };

const DAY = columns((row) => ({
  day: row.date('day::timestamptz').getTime(),
  run: row.number('run'),
  hasPartition: row.flag(`state = 'late'`),
}));

const ARCHIVED_OF: Statement = {
  name: 'archived_ones_of_log_days',
  text: `select ${DAY.sql} from log_day where day = any ($1::date[]) and state in ('archived', 'late')`,
};

/** Finds the late entries that are in the archive. */
async function findArchived(
  client: pg.ClientBase,
  archive: LogArchive,
  late: readonly LogEntry[],
): Promise<Archived> {
  const times = new Set(late.map(({ timestamp }) => startOfDay(timestamp.getTime())));
  const rows = await run(client, ARCHIVED_OF, [[...times].map((day) => new Date(day).toISOString())]);
  const days = rows.map((row) => DAY.read(row));
  const unprepared = days.filter(({ hasPartition }) => !hasPartition);
  if (unprepared.length > 0) throw new UnpreparedDays(unprepared.map(({ day }) => day));
  if (days.length === 0) return NOTHING_ARCHIVED;
  const starts = new Set(days.map(({ day }) => day));
  const has = (time: number): boolean => starts.has(startOfDay(time));
  const names = await namesIn(
    archive,
    late.filter(({ timestamp }) => has(timestamp.getTime())),
    days,
  );
  return names === null ? { names: new Set(), isUnknown: has } : { names, isUnknown: () => false };
}

/** Returns the names of the archived entries; null if the archive is unavailable. */
async function namesIn(
  archive: LogArchive,
  entries: readonly LogEntry[],
  days: readonly ArchivedDay[],
): Promise<ReadonlySet<string> | null> {
  try {
    return await archive.known(entries, days);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unavailable') return null;
    throw error;
  }
}

interface IndexedRow extends EntryRow {
  /** The index of the entry in the batch. */
  readonly index: number;
  readonly projectId: number;
}

function rowOf(
  { projectId, recordId, timestamp, id, instanceId, plugin, source, type, message }: LogEntry,
  index: number,
): IndexedRow {
  const time = timestamp.getTime();
  return {
    index,
    projectId,
    day: startOfDay(time),
    recordId,
    timestamp: time,
    id,
    instanceId,
    plugin,
    kind: kindOf({ source, type }),
    sourceType: sourceTypeOf({ source, type }),
    message,
  };
}

/** Sorts the rows and drops duplicates. */
function sortedOnce<R extends EntryRow>(rows: readonly R[]): readonly R[] {
  const sorted = rows.toSorted(byKey);
  return sorted.filter((row, i) => {
    const previous = sorted[i - 1];
    return previous === undefined || !isSameEntry(previous, row);
  });
}
