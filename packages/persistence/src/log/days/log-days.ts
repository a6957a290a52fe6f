import type pg from 'pg';
import { DAY_MS, isoDay, startOfDay } from '@plugin-config/domain';
import { dateAt, flagAt } from '../../postgres/columns.ts';
import { ADVISORY_LOCK } from '../../postgres/advisory-locks.ts';
import { run, type Statement } from '../../postgres/statement.ts';
import { execute, inTransaction } from '../../postgres/in-transaction.ts';

const BEGIN = `begin; select pg_advisory_xact_lock(${ADVISORY_LOCK.days})`;

const MISSING_DAYS: Statement = {
  name: 'missing_log_days',
  text: `select d.day::timestamptz from unnest($1::date[]) d (day)
  where not exists (select from log_day l where l.day = d.day)
    and d.day > coalesce((select max(l.day) from log_day l where l.dropped), '-infinity')
  order by 1`,
};

const LAST_DROPPED: Statement = {
  name: 'last_dropped_log_day',
  text: `select max(day)::timestamptz from log_day where dropped having max(day) is not null`,
};

const OVERDUE_DAYS: Statement = {
  name: 'log_days_over',
  text: `select day::timestamptz from log_day
  where not dropped and day < (now() at time zone 'UTC')::date - $1::integer
  order by day`,
};

const DROP_DAY: Statement = { name: 'drop_log_day', text: 'select drop_log_day($1::date, $2::integer)' };

/** Creates the partitions of these days, except of dropped ones. */
export async function prepareDays(pool: pg.Pool, days: readonly Date[]): Promise<void> {
  const parameters = [days.map(isoDay)];
  if ((await run(pool, MISSING_DAYS, parameters)).length === 0) return;
  await inTransaction(pool, BEGIN, async (client) => {
    for (const row of await run(client, MISSING_DAYS, parameters))
      await execute(client, makeDay(dateAt(row, 0)));
  });
}

/** The start of the oldest day that is not dropped; minus infinity if no day was dropped yet. */
export async function earliestKept(on: pg.Pool | pg.ClientBase): Promise<number> {
  const [row] = await run(on, LAST_DROPPED, []);
  return row === undefined ? Number.NEGATIVE_INFINITY : startOfDay(dateAt(row, 0).getTime()) + DAY_MS;
}

/** The days before the retention that are not dropped yet, oldest first. */
export async function overdueDays(pool: pg.Pool, retentionDays: number): Promise<readonly Date[]> {
  return (await run(pool, OVERDUE_DAYS, [retentionDays])).map((row) => dateAt(row, 0));
}

/**
 * Drops a day with its counts and delivery ids. Resolves to false if there was nothing to drop.
 * @throws DomainError `busy` if it is in use
 */
export async function dropDay(pool: pg.Pool, day: Date, retentionDays: number): Promise<boolean> {
  const [row] = await run(pool, DROP_DAY, [isoDay(day), retentionDays]);
  return row !== undefined && flagAt(row, 0);
}

/**
 * Creates tables and attaches them as partitions: unlike `create … partition of`, this takes no lock that readers or
 * writers wait for.
 */
function makeDay(day: Date): string {
  const [name, from] = [suffix(day), isoDay(day)];
  const to = isoDay(new Date(day.getTime() + DAY_MS));
  const wholeDay = `from ('${from} 00:00+00') to ('${to} 00:00+00')`;
  return `
    create table log_entry_${name} (like log_entry including all);
    alter table log_entry attach partition log_entry_${name} for values ${wholeDay};
    create table log_hour_${name} (like log_hour including all) with (fillfactor = 70);
    alter table log_hour attach partition log_hour_${name} for values ${wholeDay};
    create table log_project_hour_${name} (like log_project_hour including all) with (fillfactor = 70);
    alter table log_project_hour attach partition log_project_hour_${name} for values ${wholeDay};
    create table delivery_report_${name} (like delivery_report including all);
    alter table delivery_report attach partition delivery_report_${name} for values in ('${from}');
    create table delivery_sum_${name} (like delivery_sum including all) with (fillfactor = 70);
    alter table delivery_sum attach partition delivery_sum_${name} for values ${wholeDay};
    insert into log_day (day) values ('${from}')`;
}

function suffix(day: Date): string {
  return isoDay(day).replaceAll('-', '');
}
