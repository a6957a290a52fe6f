import { UNFINISHED_JOBS_MAX } from '@plugin-config/domain';
import { write } from '../../writing/write.ts';
import { bytesOf, keptAnswers } from './kept-answers.ts';

const QUEUED = write({
  first: {
    judged: `select r.id, r.project_id, r.family, r.version, k.answer, k.digest, k.origin, h.number, h.total_bytes, h.wait_s,
      case when k.name is not null then r.config end as config,
      (select i.info from plugin i where i.id = (k.answer -> 'record' ->> 'plugin')::integer) as plugin_info,
      case
        when k.name is not null then 'kept'
        when not (versions is null or r.version = any (versions)) then 'stale'
        when h.full_up then 'too_many_kept'
        when exists (
          select from job u where u.project_id = of_project and u.finished_at is null
          order by u.due_at offset ${UNFINISHED_JOBS_MAX - 1} limit 1
        ) then 'too_many_jobs'
      end as refused
    from (select * from config_record r where r.id = of_record limit 1) r
    left join kept_answer k on k.name = once_name
    left join ${keptAnswers({ project: 'of_project', family: 'of_family', key: 'job_key_id' }, 'once_name is not null')} on true
    where r.project_id = of_project and r.family = of_family`,
    fitting: 'select * from judged j where j.refused is null',
  },
  entries: {
    from: 'fitting j',
    record: 'j.id',
    activity: `'job_queued'`,
    at: 'job_at',
    author: 'job_key_id, job_label, job_request_id',
    changes: `'[]'`,
  },
  raises: 'answers',
  of: 'f.project_id = of_project and f.family = of_family and exists (select from fitting)',
  also: {
    queued: `insert into job (
      id, project_id, record_id, work, state, attempts, created_at, due_at, actor_key_id, actor_label, request_id
    )
    select job_id, j.project_id, j.id, job_work, 'queued', 0, job_at, statement_timestamp(), job_key_id, job_label, job_request_id
    from fitting j`,
    due: `insert into job_queue as q (project_id, due_at) select j.project_id, statement_timestamp() from fitting j
    on conflict (project_id) do update set due_at = excluded.due_at where q.due_at > excluded.due_at`,
    kept: `insert into kept_answer (
      name, project_id, family, key_id, digest, origin, answer, kept_at, number, total_bytes
    )
    select once_name, j.project_id, j.family, job_key_id, once_digest, once_origin, once_answer, clock_timestamp(),
      coalesce(j.number, 0) + 1, coalesce(j.total_bytes, 0) + ${bytesOf('once_answer', 'once_origin')}
    from fitting j where once_name is not null`,
  },
  result:
    'select j.refused, j.version, j.answer::text, j.digest, j.origin, j.config, j.plugin_info, j.wait_s from judged j',
});

/**
 * Queues a job. If the request has an idempotency key (`once_name`), its answer is kept. Locks the row of the family first,
 * as every writer does, so that the next statement sees the latest commit. Returns the version of the record, and the
 * reason if the job is refused; no row if there is no such record. With a kept answer, returns the present configuration
 * and plugin beside it: they are not kept, since they may become secret.
 */
export const QUEUE_JOB = `
create or replace function queue_job(
  of_project bigint, of_family text, of_record bigint, versions bigint[],
  job_id uuid, job_work json, job_at timestamptz, job_key_id bigint, job_label text, job_request_id text,
  once_name text, once_digest text, once_origin text, once_answer json
)
returns table (refused text, version bigint, answer text, digest text, origin text, config text, plugin_info text, wait_s integer)
language plpgsql as $function$
#variable_conflict use_column
begin
  perform from config_family f where f.project_id = of_project and f.family = of_family for no key update;

  return query
  ${QUEUED};
end
$function$`;
