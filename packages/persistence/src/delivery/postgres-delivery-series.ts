import {
  BUCKET_MS,
  type BucketRange,
  type DeliveryBucket,
  type DeliverySeries,
  type FamilyRef,
  type RecordBucket,
} from '@plugin-config/domain';
import type pg from 'pg';
import { clampMoment } from '../log/pages/clamp-moment.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { prepared, run, type Cells } from '../postgres/statement.ts';

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

/** Adds up each record separately, so the planner cannot read the sums of other records. */
export const READ_SPANS = prepared('read_delivery_sums')`select ${RECORD_BUCKET.sql}
  from config_record r
  cross join lateral (
    select date_bin($6::integer * interval '1 millisecond', s.span, 'epoch') as start, sum(s.successes) as successes,
      sum(s.successes_on_retry) as successes_on_retry, sum(s.failures) as failures
    from delivery_sum s
    where s.record_id = r.id and s.span >= $4::timestamptz and s.span < $5::timestamptz
    group by 1
  ) b
  where r.id = any ($1::bigint[]) and r.project_id = $2 and r.family = $3
  order by r.id, b.start`;

export function postgresDeliverySeries({ pool }: Pick<Database, 'pool'>): DeliverySeries {
  return {
    read: async (record, range) => {
      const rows = await readSpans(pool, record, [record.id], range);
      return rows.map((row) => {
        const { start, successes, successesOnRetry, failures } = RECORD_BUCKET.read(row);
        return { start, successes, successesOnRetry, failures };
      });
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
  return run(pool, READ_SPANS, [
    recordIds,
    projectId,
    family,
    ...boundsOf(range),
    BUCKET_MS[range.granularity],
  ]);
}

function boundsOf({ from, to }: BucketRange): readonly string[] {
  return [from, to].map((time) => new Date(clampMoment(time)).toISOString());
}
