import type { Job, NewActivity, Settlement } from '@plugin-config/domain';
import type pg from 'pg';
import { timeOfEntry } from '../activity/time-of-entry.ts';
import { writeSecrets } from '../configuration/sealed-secrets.ts';
import { NEXT_REVISION } from '../schema/functions/next-revision.ts';
import { run, type Statement } from '../postgres/statement.ts';

type RecordWrite = NonNullable<Settlement['write']>;

/**
 * Updates the record if it changes, inserts the activity entries in order, raises the revision of the family if there
 * are any, and updates the job.
 */
const SETTLE_JOB: Statement = {
  name: 'settle_job',
  text: `with changed as (
    update config_record r set
      plugin = c.plugin, enabled = c.enabled, "position" = c."position", name = c.name, description = c.description,
      deleted = c.deleted, config = c.config, secrets = coalesce(c.secrets::json, r.secrets),
      updated_at = c.updated_at, version = r.version + 1,
      config_revision = r.config_revision + (c.secrets is not null or c.config <> r.config)::integer,
      family_revision = ${NEXT_REVISION}
    from json_to_recordset($4) as c (
      plugin integer, enabled boolean, "position" integer, name text, description text,
      deleted boolean, config text, secrets text, updated_at timestamptz
    )
    where r.id = $3
    returning r.id
  ),
  entered as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id, changes)
    select $3, e.activity, ${timeOfEntry('$3', 'e.at')}, e.actor_key_id, e.actor_label, e.request_id, e.changes
    from rows from (
      json_to_recordset($5) as (
        activity text, at timestamptz, actor_key_id bigint, actor_label text, request_id text, changes json
      )
    ) with ordinality as e (activity, at, actor_key_id, actor_label, request_id, changes, number)
    order by e.number
    returning id
  ),
  raised as (
    update config_family f
    set revision = f.revision + 1, version = f.version + (select count(*) from changed)
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
  settlement: Settlement & { readonly at: Date },
): Promise<void> {
  const { projectId, family, id } = job.record;
  const { state, attempts, error, dueInMs, at, write, activity } = settlement;
  const entries = write === null ? activity : [write.activity, ...activity];
  const finishedAt = state === 'queued' ? null : at.toISOString();
  await run(client, SETTLE_JOB, [
    projectId,
    family,
    id,
    JSON.stringify(write === null ? [] : [changeOf(write)]),
    JSON.stringify(entries.map(entryOf)),
    job.id,
    state,
    attempts,
    error,
    dueInMs,
    finishedAt,
  ]);
}

function changeOf({ after, secrets }: RecordWrite): object {
  const { plugin, enabled, order, name, description, deleted, config, updatedAt } = after;
  return {
    plugin,
    enabled,
    position: order,
    name,
    description,
    deleted,
    config,
    updated_at: updatedAt,
    secrets: secrets === undefined ? null : writeSecrets(secrets),
  };
}

function entryOf({ activity, at, actor, requestId, changes }: NewActivity): object {
  return {
    activity,
    at,
    actor_key_id: actor.keyId,
    actor_label: actor.label,
    request_id: requestId,
    changes,
  };
}
