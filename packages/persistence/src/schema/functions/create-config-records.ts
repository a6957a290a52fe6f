import { LOCKS, PARAMETERS, PLANS } from './lock-batch.ts';

/**
 * Stores new records, each with the seed of its plugin: first those with a position, then the others, which get the
 * next positions, as their activity entries say. Returns each by its number in the batch: as stored, or with its
 * refusal, also if it is locked by others. Returns nothing for a missing family.
 */
export const CREATE_CONFIG_RECORDS = `
create or replace function create_config_records(${PARAMETERS})
returns table (number bigint, refused text, id bigint, "position" bigint, config text, plugin_info text, plugin_revision bigint)
language plpgsql ${PLANS} as $function$
#variable_conflict use_column
declare
  places bigint[];
begin
  ${LOCKS}

  return query
  with draft as materialized (
    select d.*, i.info, i.revision, coalesce(i.seed_config, '{}') as config, coalesce(i.seed_secrets, '{}') as secrets,
      d.require_registered and i.id is null as unregistered,
      d.place <> all (places) or d.plugin <> all (plugins) as held,
      not d.deleted and not (d.require_registered and i.id is null)
        and d.place = any (places) and d.plugin = any (plugins) as live
    from rows from (
      json_to_recordset(changes) as (
        project_id bigint, family text, place integer, plugin integer, enabled boolean, "position" bigint, name text,
        description text, deleted boolean, require_registered boolean,
        at timestamptz, actor_key_id bigint, actor_label text, request_id text, told text
      )
    ) with ordinality as d (
      project_id, family, place, plugin, enabled, "position", name, description, deleted, require_registered,
      at, actor_key_id, actor_label, request_id, told, number
    )
    join config_family f on f.project_id = d.project_id and f.family = d.family
    left join plugin i on i.id = d.plugin
  ),
  placed as materialized (
    select d.*, nextval('config_record_id_seq') as id,
      coalesce(d."position", 1 + greatest(
        0,
        (select max(r."position") from config_record r
          where r.project_id = d.project_id and r.family = d.family and not r.deleted),
        max(d."position") filter (where d.live) over (partition by d.project_id, d.family)
      ) + count(*) filter (where d.live and d."position" is null) over (
        partition by d.project_id, d.family order by d.number rows between unbounded preceding and 1 preceding
      )) as given
    from draft d
  ),
  judged as materialized (
    select p.*, case
      when p.held then 'held'
      when p.unregistered then 'unregistered'
      when p.given > 2147483647 then 'no_next_position'
    end as refused
    from placed p
  ),
  stored as (
    insert into config_record (
      id, project_id, family, plugin, enabled, "position", name, description, deleted,
      config, secrets, created_at, updated_at, version
    )
    select j.id, j.project_id, j.family, j.plugin, j.enabled, j.given, j.name, j.description, j.deleted,
      j.config, j.secrets, j.at, j.at, 1
    from judged j where j.refused is null
  ),
  logged as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id, changes)
    select j.id, 'created', j.at, j.actor_key_id, j.actor_label, j.request_id,
      replace(j.told, '"after":-1}', '"after":' || j.given || '}')::json
    from judged j where j.refused is null order by j."position" is null, j.number
  ),
  raised as (
    update config_family f set revision = f.revision + 1, version = f.version + 1
    where (f.project_id, f.family) in (select j.project_id, j.family from judged j where j.refused is null)
  )
  select j.number, j.refused, j.id, j.given, j.config, j.info, j.revision from judged j;
end
$function$`;
