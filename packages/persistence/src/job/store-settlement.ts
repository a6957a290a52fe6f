import type { Job, LockedJob, Settlement } from '@plugin-config/domain';
import type pg from 'pg';
import { ENTRY, entryIn, entryValues, insertActivity } from '../activity/insert-activity.ts';
import { numberedRows } from '../postgres/numbered-rows.ts';
import { changeOf } from '../record/change-of.ts';
import { RAISE_REVISION } from '../schema/functions/raise-family.ts';
import { RECORD_CHANGE, SET_CHANGE } from '../schema/functions/record-change.ts';
import { run, type Statement } from '../postgres/statement.ts';

/**
 * Updates the record if it changes, inserts the activity entries in order, raises the revision of the family if there
 * are any, and updates the job.
 */
const SETTLE_JOB: Statement = {
  name: 'settle_job',
  text: `with changed as (
    update config_record r set${SET_CHANGE}
    from ${numberedRows('$4', RECORD_CHANGE, 'c')}
    where r.id = $3
    returning r.id
  ),
  entered as (
    ${insertActivity({ record: '$3', ...entryIn('e') }, `${numberedRows('$5', ENTRY, 'e')} order by e.number`)}
    returning id
  ),
  raised as (
    ${RAISE_REVISION}, version = f.version + (select count(*) from changed)
    where f.project_id = $1 and f.family = $2 and exists (select from entered)
  ),
  turn as (
    update job_queue q set due_at = least(q.due_at, statement_timestamp() + $10::bigint * interval '1 millisecond')
    where q.project_id = $1 and $10::bigint is not null
  )
  update job j
  set state = $7, attempts = $8, error = $9, finished_at = $11,
    due_at = coalesce(statement_timestamp() + $10::bigint * interval '1 millisecond', j.due_at)
  where j.id = $6 and j.project_id = $1`,
};

/** Stores the end of a locked job, within the transaction that locks it. */
export async function storeSettlement(
  client: pg.ClientBase,
  job: Job,
  settlement: Settlement & Pick<LockedJob, 'at' | 'record'>,
): Promise<void> {
  const { projectId, family, id } = job.record;
  const { state, attempts, error, dueInMs, at, record, write, activity } = settlement;
  const entries = write === null ? activity : [write.activity, ...activity];
  const finishedAt = state === 'queued' ? null : at.toISOString();
  await run(client, SETTLE_JOB, [
    projectId,
    family,
    id,
    JSON.stringify(write === null ? [] : [changeOf({ ...write, before: record })]),
    JSON.stringify(entries.map(entryValues)),
    job.id,
    state,
    attempts,
    error,
    dueInMs,
    finishedAt,
  ]);
}
