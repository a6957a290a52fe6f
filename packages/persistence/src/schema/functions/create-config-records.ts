import { numberedRows, type RowOf } from '../../postgres/numbered-rows.ts';
import { BATCH_LOCKS, BATCH_PARAMETERS, BATCH_PLANS } from '../../writing/lock-batch.ts';
import { RECORD_VALUES, VALUE_NAMES } from '../../writing/record-values.ts';
import { write } from '../../writing/write.ts';
import { bytesOf, keptAnswers } from './kept-answers.ts';

const AUTHOR = { project: 'd.project_id', family: 'd.family', key: 'd.actor_key_id' };

const CREATION = {
  project_id: 'bigint',
  family: 'text',
  family_number: 'integer',
  ...RECORD_VALUES,
  position: 'bigint',
  require_registered: 'boolean',
  at: 'timestamptz',
  actor_key_id: 'bigint',
  actor_label: 'text',
  request_id: 'text',
  activity_changes: 'text',
  once_name: 'text',
  once_digest: 'text',
  once_origin: 'text',
} as const;

export type CreationRow = RowOf<typeof CREATION>;

const STORED = 'judged j where j.refusal is null';

const CREATED = write({
  first: {
    draft: `select d.*, i.info, i.revision,
      case when k.name is null then coalesce(i.seed_config, '{}') else (
        select r.config from config_record r where r.id = (k.answer ->> 'id')::bigint
      ) end as config, coalesce(i.seed_secrets, '{}') as secrets,
      k.answer, k.digest, k.origin, h.number as last_number, h.total_bytes as last_total_bytes, h.wait_s,
      case
        when k.name is not null then 'kept'
        when d.family_number <> all (locked_families) or d.plugin <> all (plugins) then 'busy'
        when d.require_registered and i.id is null then 'unregistered'
        when h.full_up then 'too_many_kept'
      end as refused
    from ${numberedRows('changes', CREATION, 'd')}
    join config_family f on f.project_id = d.project_id and f.family = d.family
    left join plugin i on i.id = d.plugin
    left join kept_answer k on k.name = d.once_name
    left join ${keptAnswers(AUTHOR, 'd.once_name is not null')} on true`,
    positioned: `select d.*, nextval('config_record_id_seq') as id,
      coalesce(d."position", 1 + greatest(
        0,
        (select max(r."position") from config_record r
          where r.project_id = d.project_id and r.family = d.family and not r.deleted),
        max(d."position") filter (where d.refused is null and not d.deleted) over (partition by d.project_id, d.family)
      ) + count(*) filter (where d.refused is null and not d.deleted and d."position" is null) over (
        partition by d.project_id, d.family order by d.number rows between unbounded preceding and 1 preceding
      )) as new_position
    from draft d`,
    judged: `select p.*, coalesce(p.refused, case when p.new_position > 2147483647 then 'no_next_position' end) as refusal,
      case when p.once_name is not null then json_build_object(
        'id', p.id, 'order', p.new_position, 'at', p.at
      ) end as own_answer
    from positioned p`,
  },
  insert: {
    columns: ['id', 'project_id', 'family', ...VALUE_NAMES, 'config', 'secrets'],
    computed: { position: 'j.new_position', created_at: 'j.at', updated_at: 'j.at' },
    alias: 'j',
    of: STORED,
  },
  entries: {
    from: `${STORED} order by j.position is null, j.number`,
    record: 'j.id',
    activity: `'created'`,
    at: 'j.at',
    author: 'j.actor_key_id, j.actor_label, j.request_id',
    // The domain describes a position that is assigned here as -1.
    changes: `replace(j.activity_changes, '"after":-1}', '"after":' || j.new_position || '}')::json`,
    isFirst: true,
  },
  raises: 'records',
  also: {
    kept: `insert into kept_answer (
      name, project_id, family, key_id, digest, origin, answer, kept_at, number, total_bytes
    )
    select j.once_name, j.project_id, j.family, j.actor_key_id, j.once_digest, j.once_origin, j.own_answer, clock_timestamp(),
      coalesce(j.last_number, 0) + row_number() over of_author,
      coalesce(j.last_total_bytes, 0) + sum(${bytesOf('j.own_answer', 'j.once_origin')}) over of_author
    from judged j where j.refusal is null and j.once_name is not null
    window of_author as (partition by j.project_id, j.family, j.actor_key_id order by j.number)`,
  },
  result: `select j.number, j.refusal, j.id, j.new_position, j.config, j.info, j.revision, j.answer::text, j.digest, j.origin, j.wait_s
  from judged j`,
});

/**
 * Stores new records, each with the seed of its plugin: first those with a position, then the others, which get the
 * next positions, as their activity entries say. Returns each by its number in the batch: as stored, or with its
 * refusal, `busy` if its family or plugin is locked by others. Returns nothing for a missing family.
 * A record with an idempotency key (`once_name`) is stored only if no answer is kept under that key; then its answer is kept.
 */
export const CREATE_CONFIG_RECORDS = `
create or replace function create_config_records(${BATCH_PARAMETERS})
returns table (number bigint, refused text, id bigint, "position" bigint, config text, plugin_info text, plugin_revision bigint,
  answer text, digest text, origin text, wait_s integer)
language plpgsql ${BATCH_PLANS} as $function$
#variable_conflict use_column
declare
  locked_families bigint[];
begin
  ${BATCH_LOCKS}

  return query
  ${CREATED};
end
$function$`;
