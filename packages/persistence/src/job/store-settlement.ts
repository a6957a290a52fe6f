import { MAX_ATTEMPTS, type Job, type NewActivity, type Settlement } from '@plugin-config/domain';
import type pg from 'pg';
import { writeSecrets } from '../config-record/sealed-secrets.ts';
import { run, type Statement } from '../statement.ts';

type Decision = NonNullable<Settlement['decision']>;

/** The record, if it changes, the entries in their order, the family's revision where anything is told, and the job. */
const SETTLE_JOB: Statement = {
  name: 'settle_job',
  text: `with changed as (
    update config_record r set
      plugin = c.plugin, enabled = c.enabled, "position" = c."position", name = c.name, description = c.description,
      deleted = c.deleted, config = c.config, secrets = coalesce(c.secrets::json, r.secrets),
      updated_at = c.updated_at, version = r.version + 1,
      config_revision = r.config_revision + (c.secrets is not null or c.config <> r.config)::integer
    from json_to_recordset($4) as c (
      plugin integer, enabled boolean, "position" integer, name text, description text,
      deleted boolean, config text, secrets text, updated_at timestamptz
    )
    where r.id = $3
    returning r.id
  ),
  told as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id, changes)
    select $3, e.activity, e.at, e.actor_key_id, e.actor_label, e.request_id, e.changes
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
    where f.project_id = $1 and f.family = $2 and exists (select from told)
  )
  update job j
  set state = $7, attempts = $8, error = $9, due_at = coalesce($10, j.due_at), finished_at = $11
  where j.id = $6`,
};

/** Stores how a job that is held ended, within the transaction that holds it. */
export async function storeSettlement(
  client: pg.ClientBase,
  job: Job,
  settlement: Settlement,
): Promise<void> {
  const { projectId, family, id } = job.record;
  const { state, error, dueAt, at, decision, activity } = settlement;
  const told = decision === null ? activity : [decision.activity, ...activity];
  const finishedAt = state === 'queued' ? null : at.toISOString();
  await run(client, SETTLE_JOB, [
    projectId,
    family,
    id,
    JSON.stringify(decision === null ? [] : [changeOf(decision)]),
    JSON.stringify(told.map(entryOf)),
    job.id,
    state,
    Math.min(job.attempts, MAX_ATTEMPTS),
    error,
    dueAt?.toISOString() ?? null,
    finishedAt,
  ]);
}

function changeOf({ after, secrets }: Decision): object {
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
