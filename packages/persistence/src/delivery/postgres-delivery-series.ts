import {
  BUCKET_MS,
  type BucketRange,
  type DeliveryBucket,
  type DeliverySeries,
  type FamilyRef,
  type RecordBucket,
  type ReportedFailure,
} from '@plugin-config/domain';
import type pg from 'pg';
import { momentText } from '../log/pages/clamp-moment.ts';
import { FailedDeliveryRow } from '../entities/delivery.row.ts';
import { columns, type Columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run, type Cells } from '../postgres/statement.ts';
import { fieldsOf } from '../postgres/table.ts';

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

const FAILURE: Columns<ReportedFailure> = fieldsOf(FailedDeliveryRow, 'f', ['at', 'ref', 'reason']);

export const FAILURES = pageOf({
  name: 'page_of_failed_deliveries',
  item: FAILURE,
  from: `failed_delivery f where f.record_id = $3
      and exists (select from config_record r where r.id = $3 and r.project_id = $4 and r.family = $5)
      and ($6::text is null or f.reason = $6)
      and f.at >= coalesce($7::timestamptz, '-infinity') and f.at < coalesce($8::timestamptz, 'infinity')`,
  order: 'at desc, number desc',
});

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
    failed: ({ id, projectId, family }, { reason, from, to }, page) =>
      FAILURES.read(pool, page, [
        id,
        projectId,
        family,
        reason,
        from && momentText(from),
        to && momentText(to),
      ]),
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
  return [from, to].map(momentText);
}
