import type pg from 'pg';
import { DAY_MS, isoDay, startOfDay, type CopiedDay } from '@plugin-config/domain';
import { columns, dateAt, flagAt } from '../../postgres/columns.ts';
import { ADVISORY_LOCK } from '../../postgres/advisory-locks.ts';
import { prepared, run } from '../../postgres/statement.ts';
import { execute, inTransaction } from '../../postgres/in-transaction.ts';

const BEGIN = `begin; select pg_advisory_xact_lock(${ADVISORY_LOCK.days})`;

const MISSING = columns((row) => ({
  day: row.date('d.day::timestamptz'),
  isKnown: row.flag('l.day is not null'),
}));

/** Finds the days without a partition for entries, except dropped days. */
const MISSING_DAYS = prepared('missing_log_days')`
  select ${MISSING.sql} from unnest($1::date[]) d (day) left join log_day l on l.day = d.day
  where l.in_postgres is not true
    and d.day > coalesce((select max(l.day) from log_day l where l.dropped), '-infinity')
  order by d.day`;

const EDGES = columns((row) => ({
  dropped: row.dateOrNull('(max(day) filter (where dropped))::timestamptz'),
  copied: row.dateOrNull('(max(day) filter (where run > 0))::timestamptz'),
}));

const LOG_EDGES = prepared('log_edges')`select ${EDGES.sql} from log_day`;

const COPIED = columns((row) => ({ day: row.date('day::timestamptz').getTime(), run: row.number('run') }));

const COPIED_DAYS = prepared('copied_log_days')`
  select ${COPIED.sql} from log_day where run > 0 and not dropped order by day desc`;

const OVERDUE_DAYS = prepared('log_days_over')`select day::timestamptz from log_day
  where not dropped and day < (now() at time zone 'UTC')::date - $1::integer
  order by day`;

const DROP_DAY = prepared('drop_log_day')`select drop_log_day($1::date, $2::integer)`;

/** Creates the missing partitions of these days, except dropped days. */
export async function prepareDays(pool: pg.Pool, days: readonly Date[]): Promise<void> {
  const parameters = [days.map(isoDay)];
  if ((await run(pool, MISSING_DAYS, parameters)).length === 0) return;
  await inTransaction(pool, BEGIN, async (client) => {
    for (const row of await run(client, MISSING_DAYS, parameters)) {
      const { day, isKnown } = MISSING.read(row);
      await execute(client, createDay(day, isKnown));
    }
  });
}

export interface LogEdges {
  /** The start of the oldest retained day in milliseconds since 1970; minus infinity if no day has been dropped yet. */
  readonly earliest: number;
  /** The end of the newest copied day; minus infinity if there is none. */
  readonly copiedUntil: number;
}

export async function logEdges(connection: pg.Pool | pg.ClientBase): Promise<LogEdges> {
  const [row] = await run(connection, LOG_EDGES, []);
  const { dropped = null, copied = null } = row === undefined ? {} : EDGES.read(row);
  return { earliest: endOf(dropped), copiedUntil: endOf(copied) };
}

function endOf(day: Date | null): number {
  return day === null ? Number.NEGATIVE_INFINITY : startOfDay(day.getTime()) + DAY_MS;
}

/** Returns the days with a finished copy, newest first. */
export async function copiedDays(connection: pg.Pool | pg.ClientBase): Promise<readonly CopiedDay[]> {
  return (await run(connection, COPIED_DAYS, [])).map((row) => COPIED.read(row));
}

/** Returns the days past the retention that are not dropped yet, oldest first. */
export async function overdueDays(pool: pg.Pool, retentionDays: number): Promise<readonly Date[]> {
  return (await run(pool, OVERDUE_DAYS, [retentionDays])).map((row) => dateAt(row, 0));
}

/**
 * Drops a day, whose counts are no longer read from then on (`IS_KEPT`). Resolves to false if there was nothing to drop.
 * @throws DomainError `busy` if the day is in use
 */
export async function dropDay(pool: pg.Pool, day: Date, retentionDays: number): Promise<boolean> {
  const [row] = await run(pool, DROP_DAY, [isoDay(day), retentionDays]);
  return row !== undefined && flagAt(row, 0);
}

/** Creates a table and attaches it as a partition. Unlike `create … partition of`, this does not block readers or writers. */
function createDay(day: Date, isKnown: boolean): string {
  const [name, date] = [`log_entry_${isoDay(day).replaceAll('-', '')}`, isoDay(day)];
  const mark = isKnown
    ? `update log_day set in_postgres = true where day = '${date}'`
    : `insert into log_day (day) values ('${date}')`;
  return `create table ${name} (like log_entry including all);
    alter table log_entry attach partition ${name} for values ${wholeDay(day)}; ${mark}`;
}

function wholeDay(day: Date): string {
  return `from ('${isoDay(day)} 00:00+00') to ('${isoDay(new Date(day.getTime() + DAY_MS))} 00:00+00')`;
}
