import type pg from 'pg';
import { DAY_MS, startOfDay } from '@plugin-config/domain';
import { dateAt } from '../cells.ts';
import { run, type Statement } from '../statement.ts';
import { execute, inTransaction } from '../in-transaction.ts';

/** Of the advisory lock that whoever makes or drops days holds; any number will do, as long as it stays. */
const LOCK = 7_305_815_204_118_312n;
const BEGIN = `begin; select pg_advisory_xact_lock(${LOCK})`;

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

const DAYS_BEFORE: Statement = {
  name: 'log_days_before',
  text: 'select day::timestamptz from log_day where day < $1::date and not dropped order by day',
};

/** Makes the partitions of these days, unless they are there or were dropped. */
export async function prepareDays(pool: pg.Pool, days: readonly Date[]): Promise<void> {
  const asked = [days.map(isoDay)];
  if ((await run(pool, MISSING_DAYS, asked)).length === 0) return;
  await inTransaction(pool, BEGIN, async (client) => {
    for (const row of await run(client, MISSING_DAYS, asked)) await execute(client, makeDay(dateAt(row, 0)));
  });
}

/** Entries before this moment fall on a day that is dropped. */
export async function startOfKept(client: pg.ClientBase): Promise<number> {
  const [row] = await run(client, LAST_DROPPED, []);
  return row === undefined ? Number.NEGATIVE_INFINITY : startOfDay(dateAt(row, 0).getTime()) + DAY_MS;
}

export async function daysBefore(pool: pg.Pool, day: Date): Promise<readonly Date[]> {
  return (await run(pool, DAYS_BEFORE, [isoDay(day)])).map((row) => dateAt(row, 0));
}

/** A whole day with all that was counted and remembered of it, in one step, or not at all while it is in use. */
export async function dropDay(pool: pg.Pool, day: Date, patienceMs: number): Promise<void> {
  await inTransaction(pool, `${BEGIN}; set local lock_timeout = ${patienceMs}`, (client) =>
    execute(client, dropTables(day)),
  );
}

/** Attached, not created, as partitions: that needs no lock which readers or writers would wait for. */
function makeDay(day: Date): string {
  const [name, from] = [suffix(day), isoDay(day)];
  const to = isoDay(new Date(day.getTime() + DAY_MS));
  return `
    create table log_entry_${name} (like log_entry including all);
    alter table log_entry attach partition log_entry_${name} for values from ('${from} 00:00+00') to ('${to} 00:00+00');
    create table log_block_${name} (like log_block including all) with (fillfactor = 70);
    alter table log_block attach partition log_block_${name} for values in ('${from}');
    create table delivery_report_${name} (like delivery_report including all);
    alter table delivery_report attach partition delivery_report_${name} for values in ('${from}');
    insert into log_day (day) values ('${from}')`;
}

function dropTables(day: Date): string {
  const name = suffix(day);
  return `
    drop table if exists log_entry_${name};
    drop table if exists log_block_${name};
    drop table if exists delivery_report_${name};
    delete from delivery_sum where span < '${isoDay(day)} 00:00+00';
    update log_day set dropped = true where day = '${isoDay(day)}'`;
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

function suffix(day: Date): string {
  return isoDay(day).replaceAll('-', '');
}
