import { DAY_MS, isoDay, type EndedDays, type LogEntry, type StoredSummary } from '@plugin-config/domain';
import { columns, flagAt } from '../../postgres/columns.ts';
import type { Database } from '../../postgres/database.ts';
import { inTransaction } from '../../postgres/in-transaction.ts';
import { allowSilence } from '../../postgres/silence.ts';
import { prepared, run } from '../../postgres/statement.ts';
import { ENTRY } from '../entries/entry-columns.ts';
import { dropDayInUse } from './drop-day-in-use.ts';

const CHUNK = { rows: 10_000, bytes: 8 * 1024 * 1024 };
/** Enough for a day with a hundred million entries. */
const SUMMARY_MS = 15 * 60_000;

const DUE = columns((row) => ({ day: row.date('day::timestamptz').getTime(), run: row.number('run + 1') }));

const DUE_DAYS = prepared('ended_log_days')`select ${DUE.sql} from log_day
  where in_postgres and day < (now() at time zone 'UTC')::date - $1::integer
  order by day`;

const OF_DAY = columns((row): LogEntry => ({
  recordId: row.number('record_id'),
  projectId: row.number('project_id'),
  ...row.all(ENTRY),
}));

/** Reads a chunk of entries, limited by rows and bytes, in the order of the primary key. */
const CHUNK_OF_DAY = prepared('chunk_of_log_day')`select ${OF_DAY.sql}
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
  order by e.record_id, e.timestamp, e.id`;

const SUMMARY = columns((row): StoredSummary => ({
  count: row.number('count(*)'),
  digest: row.text(`coalesce(sum(
    ('x' || left(md5(concat_ws(' ', e.record_id, (extract(epoch from e.timestamp) * 1000)::bigint, e.id, e.message)), 12))::bit(48)::bigint
  ) % 18446744073709551616, 0)`),
  state: row.text('state_of_log_day($3::date)'),
}));

/** Sums digests, so the order of the entries does not matter, in a way that other databases can repeat. */
const SUMMARISE = prepared('summarise_log_day')`
  select ${SUMMARY.sql} from log_entry e where e.timestamp >= $1 and e.timestamp < $2`;

const TAKE_OUT = prepared('take_out_log_day')`select take_out_log_day($1::date, $2::integer, $3)`;

export function postgresEndedDays({ pool }: Pick<Database, 'pool'>): EndedDays {
  return {
    due: async (hotDays) => (await run(pool, DUE_DAYS, [hotDays])).map((row) => DUE.read(row)),

    async *chunks(day) {
      const bounds = boundsOf(day);
      let after = [0, new Date(day).toISOString(), '00000000-0000-0000-0000-000000000000'];
      for (;;) {
        const rows = await run(pool, CHUNK_OF_DAY, [...bounds, ...after]);
        const entries = rows.map((row) => OF_DAY.read(row));
        const last = entries.at(-1);
        if (last === undefined) return;
        yield entries;
        after = [last.recordId, last.timestamp.toISOString(), last.id];
      }
    },

    summary: (day) =>
      inTransaction(pool, `begin read only; set local statement_timeout = ${SUMMARY_MS}`, (client) =>
        allowSilence(client, SUMMARY_MS, async () => {
          const [row = []] = await run(client, SUMMARISE, [...boundsOf(day), isoDay(new Date(day))]);
          return SUMMARY.read(row);
        }),
      ),

    takeOut: async ({ day, run: number }, { state }) => {
      const parameters = [isoDay(new Date(day)), number, state];
      const [row] = await dropDayInUse(pool, () => run(pool, TAKE_OUT, parameters));
      return row !== undefined && flagAt(row, 0);
    },
  };
}

function boundsOf(day: number): readonly string[] {
  return [day, day + DAY_MS].map((time) => new Date(time).toISOString());
}
