import { DAY_MS, isoDay, type LogEntry, type LogExport } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { columns } from '../postgres/columns.ts';
import { run, translated, type Statement } from '../postgres/statement.ts';
import { wordsOf } from './entries/kinds.ts';

const PORTION = { rows: 10_000, bytes: 8 * 1024 * 1024 };

const DAY = columns((row) => ({ day: row.date('d.day::timestamptz'), entries: row.number('c.entries') }));

const UNEXPORTED_DAYS: Statement = {
  name: 'unexported_log_days',
  text: `select ${DAY.sql}
  from log_day d
  cross join lateral (
    select coalesce(sum(n), 0) as entries from log_hour h cross join unnest(h.counts) n
    where h.hour >= d.day::timestamp at time zone 'UTC' and h.hour < (d.day + 1)::timestamp at time zone 'UTC'
  ) c
  left join log_export x on x.day = d.day
  where not d.dropped and c.entries > 0 and (x.day is null or not x.complete or x.exported < c.entries)
  order by d.day desc`,
};

/** The place in the order of the export after which it continues. */
interface Progress extends Pick<LogEntry, 'recordId' | 'timestamp' | 'id'> {
  readonly exported: number;
}

const ENTRY = columns((row) => ({
  recordId: row.number('e.record_id'),
  projectId: row.number('e.project_id'),
  timestamp: row.date('e.timestamp'),
  id: row.text('e.id'),
  instanceId: row.text('e.instance_id'),
  plugin: row.number('e.plugin'),
  message: row.text('e.message'),
  kind: row.number('e.kind'),
  sourceType: row.textOrNull('e.source_type'),
}));

/** A portion by its number of rows and bytes, in the order of the primary key. */
const PORTION_OF_DAY: Statement = {
  name: 'log_export_portion',
  text: `select ${ENTRY.sql}
  from (
    select e.*, r.project_id, sum(octet_length(e.message)) over w as bytes, row_number() over w as number
    from (
      select * from log_entry
      where timestamp >= $1 and timestamp < $2
        and (record_id, timestamp, id) > ($3::bigint, $4::timestamptz, $5::uuid)
      order by record_id, timestamp, id limit ${PORTION.rows}
    ) e
    join config_record r on r.id = e.record_id
    window w as (order by e.record_id, e.timestamp, e.id rows unbounded preceding)
  ) e
  where e.number = 1 or e.bytes <= ${PORTION.bytes}
  order by e.record_id, e.timestamp, e.id`,
};

/** Exports the days of the log tables. */
export function postgresLogExport({ pool, entities }: Pick<Database, 'pool' | 'entities'>): LogExport {
  const progressOf = (date: Date): Promise<Progress> =>
    translated(async () => {
      const { em, LogExportRow } = await entities();
      return (await em.findOne(LogExportRow, { day: isoDay(date), complete: false })) ?? startOf(date);
    });
  const save = (date: Date, { exported, recordId, timestamp, id }: Progress, complete: boolean) =>
    translated(async () => {
      const { em, LogExportRow } = await entities();
      await em.upsert(LogExportRow, { day: isoDay(date), exported, recordId, timestamp, id, complete });
    });
  return {
    unexportedDays: async () => (await run(pool, UNEXPORTED_DAYS, [])).map((row) => DAY.read(row)),

    async *portions(day) {
      const begin = day.toISOString();
      const end = new Date(day.getTime() + DAY_MS).toISOString();
      let progress = await progressOf(day);
      for (;;) {
        const { exported, recordId, timestamp, id } = progress;
        const after = [recordId, timestamp.toISOString(), id];
        const rows = await run(pool, PORTION_OF_DAY, [begin, end, ...after]);
        const entries = rows.map((row) => entryOf(ENTRY.read(row)));
        const last = entries.at(-1);
        if (last === undefined) break;
        yield entries;
        progress = { ...last, exported: exported + entries.length };
        await save(day, progress, false);
      }
      await save(day, progress, true);
    },
  };
}

function startOf(day: Date): Progress {
  return { exported: 0, recordId: 0, timestamp: day, id: '00000000-0000-0000-0000-000000000000' };
}

function entryOf({ kind, sourceType, ...entry }: ReturnType<typeof ENTRY.read>): LogEntry {
  return { ...entry, ...wordsOf(kind, sourceType) };
}
