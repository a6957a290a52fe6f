import { FAILED_KEPT_MAX, type DeliveryMessage, type FailedDelivery } from '@plugin-config/domain';
import type pg from 'pg';
import { prepared, run } from '../postgres/statement.ts';
import { recordOfId } from '../record/record-columns.ts';

/** SQL for the last number of a record. */
const lastOf = (record: string): string => `coalesce((
      select l.number from failed_delivery l where l.record_id = ${record} order by l.number desc limit 1
    ), 0)`;

/**
 * Adds failed deliveries ($1 to $5), numbered from the last of their record, and deletes the oldest of the records ($6, with the
 * numbers of added ones, $7) beyond the maximum. The caller has locked the rates of the records, so nobody else draws numbers.
 */
export const KEEP_FAILED = prepared('keep_failed_deliveries')`
  with displaced as (
    delete from failed_delivery where ctid = any (array(
      select d.row from unnest($6::bigint[], $7::bigint[]) as o (record_id, added) cross join lateral (
        select f.ctid as row from failed_delivery f
        where f.record_id = o.record_id and f.number <= ${lastOf('o.record_id')} + o.added - ${FAILED_KEPT_MAX.perRecord}
        order by f.number for update skip locked
      ) d
    ))
  )
  insert into failed_delivery (record_id, number, project_id, at, ref, reason)
  select t.record_id, ${lastOf('t.record_id')} + t.place, r.project_id, t.at, t.ref, t.reason
  from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[]) as t (record_id, place, at, ref, reason)
  cross join ${recordOfId('t.record_id')}`;

/** Deletes the oldest failed deliveries of the projects of records ($1) beyond the maximum. */
export const TRIM_FAILED = prepared('trim_failed_deliveries')`
  with project as materialized (
    select p.project_id, (select count(*) from failed_delivery f where f.project_id = p.project_id) as kept
    from (
      select distinct r.project_id from unnest($1::bigint[]) as t (record_id) cross join ${recordOfId('t.record_id')}
    ) p
  )
  delete from failed_delivery where ctid = any (array(
    select o.row from project p cross join lateral (
      select f.ctid as row from failed_delivery f where f.project_id = p.project_id
      order by f.at limit greatest(p.kept - ${FAILED_KEPT_MAX.perProject}, 0) for update skip locked
    ) o
  ))`;

export async function keepFailed(client: pg.ClientBase, reports: readonly DeliveryMessage[]): Promise<void> {
  const records = failedByRecord(reports);
  if (records.length === 0) return;
  const rows = records.flatMap(([recordId, failed]) =>
    failed.map((one, i) => ({ recordId, place: i + 1, ...one })),
  );
  const recordIds = records.map(([recordId]) => recordId);
  await run(client, KEEP_FAILED, [
    rows.map(({ recordId }) => recordId),
    rows.map(({ place }) => place),
    rows.map(({ at }) => new Date(at).toISOString()),
    rows.map(({ ref }) => ref),
    rows.map(({ reason }) => reason),
    recordIds,
    records.map(([, failed]) => failed.length),
  ]);
  await run(client, TRIM_FAILED, [recordIds]);
}

interface FailedAt extends FailedDelivery {
  readonly at: number;
}

/** Returns the failed deliveries by record, sorted, without those that the batch itself displaces. */
function failedByRecord(
  reports: readonly DeliveryMessage[],
): readonly (readonly [number, readonly FailedAt[]])[] {
  const failing = reports.filter(({ failed }) => failed.length > 0);
  return [...Map.groupBy(failing, ({ recordId }) => recordId)]
    .toSorted(([a], [b]) => a - b)
    .map(([recordId, ofRecord]) => {
      const all = ofRecord.flatMap(({ failed, timestamp }) =>
        failed.map((one) => ({ ...one, at: timestamp })),
      );
      return [recordId, all.slice(-FAILED_KEPT_MAX.perRecord)];
    });
}
