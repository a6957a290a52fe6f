-- Queues a job, with its task: a change, or what a runtime takes (`job_lane`). Runtimes take the jobs of a record one at a time, so only
-- the first one is open; the end of each opens the next. If the request has a key (`once_name`), its response is kept. Locks the row of the
-- family first, like every writer, so the next statement sees the latest commit. A project has at most `jobs_max` unfinished jobs.
-- Returns the version of the record, and the reason if the job is rejected; no row if the record does not exist.
create or replace function queue_job(
  of_project bigint, of_family text, of_record bigint, versions bigint[],
  job_id uuid, job_work bytea, jobs_max integer, job_at timestamptz, job_key_id bigint, job_label text, job_subject json,
  job_request_id text,
  once_name text, once_digest text, once_response json,
  job_plugin integer, job_type text, job_timeout integer, job_lane text
)
returns table (rejected text, version bigint, oldest_ms bigint)
language plpgsql as $function$
#variable_conflict use_column
declare
  task_kind constant text := case when job_lane is null then 'job' else 'plugin_job' end;
begin
  perform from config_family f where f.project_id = of_project and f.family = of_family for no key update;
  if not found then
    return;
  end if;

  return query
  with judged as materialized (
    select r.id, r.project_id, r.family, r.version, h.oldest_ms,
      case
        when k.name is not null then 'kept'
        when not (versions is null or r.version = any (versions)) then 'stale'
        when h.is_full then 'too_many_kept'
        when exists (
          select from task t where t.project_id = of_project and t.kind = task_kind
          order by t.key, t.id offset jobs_max - 1 limit 1
        ) then 'too_many_jobs'
      end as rejected
    from (select * from config_record r where r.id = of_record limit 1) r
    left join kept_response k on k.name = once_name
    left join kept_responses(of_project, of_family, case when once_name is not null then job_key_id end) h on true
    where r.project_id = of_project and r.family = of_family
  ),
  fitting as materialized (
    select * from judged j where j.rejected is null
  ),
  logged as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, actor_subject, request_id, changes, more)
    select j.id, 'job_queued', greatest(job_at, (
      select a.created_at from activity a
      where a.record_id between j.id and j.id order by a.record_id desc, a.id desc limit 1
    )), job_key_id, job_label, job_subject, job_request_id, '[]', 0 from fitting j
  ),
  incremented as (
    update config_family f set family_version = f.family_version + 1
    where f.project_id = of_project and f.family = of_family and exists (select from fitting)
  ),
  added as (
    insert into task (kind, project_id, account_id, key, payload, lane, due_at)
    select task_kind, j.project_id, (select coalesce(k.account_id, k.id) from api_key k where k.id = job_key_id), j.id, job_id::text,
      job_lane, case when job_lane is not null and exists (
        select from task t where t.project_id = j.project_id and t.kind = task_kind and t.key = j.id
      ) then 'infinity'::timestamptz end
    from fitting j
    returning id, due_at
  ),
  queued as (
    insert into job (
      id, project_id, record_id, work, state, attempts, created_at, actor_key_id, actor_label, actor_subject, request_id,
      family, plugin, type, timeout_seconds, task_id, open_at
    )
    select job_id, j.project_id, j.id, job_work, 'queued', 0, job_at, job_key_id, job_label, job_subject, job_request_id,
      case when job_lane is not null then j.family end, job_plugin, job_type, job_timeout,
      case when job_lane is not null then a.id end,
      case when job_lane is not null and a.due_at is null then clock_timestamp() end
    from fitting j, added a
  ),
  kept as materialized (
    select keep_response(
      once_name, j.project_id, j.family, job_key_id, once_digest, once_response
    )
    from fitting j where once_name is not null
  )
  select j.rejected, j.version, j.oldest_ms
  -- The join makes PostgreSQL run `kept`.
  from judged j left join kept k on true;
end
$function$;
