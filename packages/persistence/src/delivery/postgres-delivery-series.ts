import type {
  BucketRange,
  DeliveryBucket,
  DeliverySeries,
  FamilyRef,
  RecordBucket,
} from '@plugin-config/domain';
import type pg from 'pg';
import { clampMoment } from '../log/pages/clamp-moment.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';

const BUCKET = columns((row): DeliveryBucket => ({
  start: row.date('b.start'),
  successes: row.number('b.successes'),
  successesOnRetry: row.number('b.successes_on_retry'),
  failures: row.number('b.failures'),
}));

const RECORD_BUCKET = columns((row): RecordBucket => ({
  ...row.all(BUCKET),
  recordId: row.number('r.id'),
}));

/** Looks up each minute separately, 1,500 at most. The `offset` keeps the planner from reading other records. */
export const READ_MINUTES: Statement = {
  name: 'read_delivery_minutes',
  text: `select ${BUCKET.sql}
  from generate_series($4::timestamptz, $5::timestamptz - interval '1 minute', interval '1 minute') asked (minute)
  cross join lateral (
    select m.minute as start, m.successes, m.successes_on_retry, m.failures
    from delivery_minute m where m.minute = asked.minute and m.record_id = $1 offset 0
  ) b
  where exists (select from config_record r where r.id = $1 and r.project_id = $2 and r.family = $3)
  order by b.start`,
};

/**
 * Adds up each record separately, so the planner cannot read the sums of other records. Unnamed to plan each range separately,
 * which locks only the partitions of its days.
 */
export const READ_SPANS: Statement = {
  name: '',
  text: `select ${RECORD_BUCKET.sql}
  from config_record r
  cross join lateral (
    select date_trunc($6, s.span, 'UTC') as start, sum(s.successes) as successes,
      sum(s.successes_on_retry) as successes_on_retry, sum(s.failures) as failures
    from delivery_sum s
    where s.record_id = r.id and s.span >= $4::timestamptz and s.span < $5::timestamptz
    group by 1
  ) b
  where r.id = any ($1::bigint[]) and r.project_id = $2 and r.family = $3
  order by r.id, b.start`,
};

export function postgresDeliverySeries({ pool }: Pick<Database, 'pool'>): DeliverySeries {
  return {
    read: async (record, range) => {
      const { id, projectId, family } = record;
      const rows = await (range.granularity === 'minute'
        ? run(pool, READ_MINUTES, [id, projectId, family, ...boundsOf(range)])
        : readSpans(pool, record, [id], range));
      return rows.map((row) => BUCKET.read(row));
    },
    readHours: async (family, recordIds, range) =>
      (await readSpans(pool, family, recordIds, range)).map((row) => RECORD_BUCKET.read(row)),
  };
}

function readSpans(
  pool: pg.Pool,
  { projectId, family }: FamilyRef,
  recordIds: readonly number[],
  range: BucketRange,
): Promise<readonly Cells[]> {
  return run(pool, READ_SPANS, [recordIds, projectId, family, ...boundsOf(range), range.granularity]);
}

function boundsOf({ from, to }: BucketRange): readonly string[] {
  return [from, to].map((time) => new Date(clampMoment(time)).toISOString());
}
