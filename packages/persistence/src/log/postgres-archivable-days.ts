import {
  DAY_MS,
  isoDay,
  type ArchivableDays,
  type EntriesSummary,
  type LogEntry,
} from '@plugin-config/domain';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { columns, flagAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { exclusively } from '../postgres/exclusively.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { allowSilence } from '../postgres/silence.ts';
import { dropDayInUse } from './days/drop-day-in-use.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { ENTRY } from './entries/entry-columns.ts';

const CHUNK = { rows: 10_000, bytes: 8 * 1024 * 1024 };
/** Enough for a day with a hundred million entries. */
const SUMMARY_MS = 15 * 60_000;

const DUE = columns((row) => ({ day: row.date('day::timestamptz').getTime(), run: row.number('run + 1') }));

const DUE_DAYS: Statement = {
  name: 'archivable_log_days',
  text: `select ${DUE.sql} from log_day
  where state in ('hot', 'late') and day < (now() at time zone 'UTC')::date - $1::integer
  order by day`,
};

const ARCHIVED = columns((row): LogEntry => ({
  recordId: row.number('record_id'),
  projectId: row.number('project_id'),
  ...row.all(ENTRY),
}));

/** Reads a chunk of entries, limited by rows and bytes, in the order of the primary key. */
const CHUNK_OF_DAY: Statement = {
  name: 'chunk_of_log_day',
  text: `select ${ARCHIVED.sql}
  from (
    select e.*, r.project_id, sum(octet_length(e.message)) over w as bytes, row_number() over w as number
    from (
      select * from log_entry
      where timestamp >= $1 and timestamp < $2
        and (record_id, timestamp, id) > ($3::bigint, $4::timestamptz, $5::uuid)
      order by record_id, timestamp, id limit ${CHUNK.rows}
    ) e
    join config_record r on r.id = e.record_id
    window w as (order by e.record_id, e.timestamp, e.id rows unbounded preceding)
  ) e
  where e.number = 1 or e.bytes <= ${CHUNK.bytes}
  order by e.record_id, e.timestamp, e.id`,
};

const SUMMARY = columns((row): EntriesSummary => ({
  count: row.number('count(*)'),
  digest: row.text(`coalesce(sum(
    ('x' || left(md5(concat_ws(' ', e.record_id, (extract(epoch from e.timestamp) * 1000)::bigint, e.id, e.message)), 12))::bit(48)::bigint
  ) % 18446744073709551616, 0)`),
}));

/** Sums digests, so the order of the entries does not matter. ClickHouse computes the same sum. */
const SUMMARISE: Statement = {
  name: 'summarise_log_day',
  text: `select ${SUMMARY.sql} from log_entry e where e.timestamp >= $1 and e.timestamp < $2`,
};

const FINISH: Statement = {
  name: 'archive_log_day',
  text: 'select archive_log_day($1::date, $2::integer, $3::bigint)',
};

export function postgresArchivableDays({ pool }: Pick<Database, 'pool'>): ArchivableDays {
  return {
    due: async (hotDays) => (await run(pool, DUE_DAYS, [hotDays])).map((row) => DUE.read(row)),

    async *chunks(day) {
      const bounds = boundsOf(day);
      let after = [0, new Date(day).toISOString(), '00000000-0000-0000-0000-000000000000'];
      for (;;) {
        const rows = await run(pool, CHUNK_OF_DAY, [...bounds, ...after]);
        const entries = rows.map((row) => ARCHIVED.read(row));
        const last = entries.at(-1);
        if (last === undefined) return;
        yield entries;
        after = [last.recordId, last.timestamp.toISOString(), last.id];
      }
    },

    summary: (day) =>
      inTransaction(pool, `begin read only; set local statement_timeout = ${SUMMARY_MS}`, (client) =>
        allowSilence(client, SUMMARY_MS, async () => {
          const [row] = await run(client, SUMMARISE, boundsOf(day));
          return row === undefined ? { count: 0, digest: '0' } : SUMMARY.read(row);
        }),
      ),

    finish: async ({ day, run: number }, count) => {
      const [row] = await dropDayInUse(pool, () => run(pool, FINISH, [isoDay(new Date(day)), number, count]));
      return row !== undefined && flagAt(row, 0);
    },

    // If the lock is lost, another process may start. That is harmless: both copy the same entries for the same run.
    exclusively: (work) => exclusively(pool, ADVISORY_LOCK.archiver, work),
  };
}

function boundsOf(day: number): readonly string[] {
  return [day, day + DAY_MS].map((time) => new Date(time).toISOString());
}
