-- Stores new records. Records without a position get the next
-- ones, after all records with a position.
-- Returns one row for each record, by its number in the batch, with a rejection if it was not stored: `revoked` if the author's
-- key, one of the `keys`, is revoked; `busy` if the family or the plugin is locked; `outdated` if the registry version of the plugin
-- is not `decided_by` (0 if it was never registered). Returns no row for a missing family.
-- A record with a configuration comes with its `id`, since the configuration is encrypted for it.
-- A record with the key of a request (`once_name`) is only stored if no response is kept for that key; its response is then kept,
-- without the configuration, which may become secret.
-- The settings force plans that fit tables of any size, with index lookups row by row.
create or replace function create_config_records(
  plugins integer[], projects bigint[], families text[], keys bigint[], changes json, wait_ms integer
)
returns table (
  number bigint, rejected text, id bigint, "position" bigint, plugin_info text, registry_version bigint, schema_version integer, oldest_ms bigint
)
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $function$
#variable_conflict use_column
declare
  family_versions bigint[];
  revoked bigint[];
begin
  select l.plugins, l.family_versions, l.revoked from lock_for_batch(plugins, projects, families, keys, wait_ms) l
  into plugins, family_versions, revoked;

  return query
  with draft as materialized (
    select d.*, d.ordinality as number, coalesce(v.info, i.info) as info, i.registry_version,
      coalesce(v.schema_version, i.schema_version, 1) as schema_version, h.oldest_ms,
      case
        when d.actor_key_id = any (revoked) then 'revoked'
        when k.name is not null then 'kept'
        when family_versions[d.family_number] is null or d.plugin <> all (plugins) then 'busy'
        when d.require_registered and i.info is null then 'unregistered'
        when d.decided_by <> coalesce(i.registry_version, 0) then 'outdated'
        when h.is_full then 'too_many_kept'
      end as rejected
    from rows from (json_to_recordset(changes) as (
      project_id bigint,
      family text,
      family_number integer,
      plugin integer,
      enabled boolean,
      name text,
      description text,
      deleted boolean,
      position bigint,
      pinned_version text,
      require_registered boolean,
      id bigint,
      config bytea,
      at timestamptz,
      actor_key_id bigint,
      actor_label text,
      actor_subject text,
      request_id text,
      apply_id uuid,
      activity_changes text,
      config_changes bytea,
      more integer,
      decided_by bigint,
      once_name text,
      once_digest text
    )) with ordinality as d
    join config_family f on f.project_id = d.project_id and f.family = d.family
    left join plugin i on i.id = d.plugin
    left join plugin_version v on v.plugin = d.plugin and v.version = d.pinned_version
    left join kept_response k on k.name = d.once_name
    left join kept_responses(
      d.project_id, d.family, case when d.once_name is not null then d.actor_key_id end
    ) h on true
  ),
  positioned as materialized (
    select d.*, coalesce(d.id, nextval('config_record_id_seq')) as record_id,
      coalesce(d."position", 1 + greatest(
        0,
        (select max(r."position") from config_record r
          where r.project_id = d.project_id and r.family = d.family and not r.deleted),
        max(d."position") filter (where d.rejected is null and not d.deleted) over (partition by d.project_id, d.family)
      ) + count(*) filter (where d.rejected is null and not d.deleted and d."position" is null) over (
        partition by d.project_id, d.family order by d.number rows between unbounded preceding and 1 preceding
      )) as new_position
    from draft d
  ),
  judged as materialized (
    select p.*, coalesce(p.rejected, case when p.new_position > 2147483647 then 'no_next_position' end) as rejection,
      case when p.once_name is not null then json_build_object('record', json_build_object(
        'id', p.record_id, 'plugin', p.plugin, 'order', p.new_position, 'createdAt', p.at, 'updatedAt', p.at
      )) end as own_response
    from positioned p
  ),
  written as (
    insert into config_record (
      id, project_id, family, plugin, enabled, name, description, deleted, config, position, schema_version, pinned_version,
      created_at, updated_at, version, revision_at, revision_key_id, revision_label, revision_subject, revision_request_id, family_version
    )
    select
      j.record_id, j.project_id, j.family, j.plugin, j.enabled, j.name, j.description, j.deleted, j.config, j.new_position, j.schema_version, j.pinned_version,
      j.at, j.at, 1, j.at, j.actor_key_id, j.actor_label, j.actor_subject::json, j.request_id,
      family_versions[j.family_number] + 1
    from judged j where j.rejection is null
    returning id, project_id, family
  ),
  logged as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, actor_subject, request_id, apply_id, config_changes, changes, more)
    -- The domain uses -1 for a position that is assigned here.
    select j.record_id, 'created', j.at, j.actor_key_id, j.actor_label, j.actor_subject::json, j.request_id, j.apply_id, j.config_changes,
      replace(j.activity_changes, '"after":-1}', '"after":' || j.new_position || '}')::json, j.more
    from judged j where j.rejection is null order by j.position is null, j.number
  ),
  incremented as (
    update config_family f set family_version = f.family_version + 1, list_version = f.list_version + 1,
      changed_xid = pg_current_xact_id()::text::bigint
    where (f.project_id, f.family) in (select w.project_id, w.family from written w)
  ),
  kept as materialized (
    select j.number, keep_response(
      j.once_name, j.project_id, j.family, j.actor_key_id, j.once_digest, j.own_response
    )
    from judged j where j.rejection is null and j.once_name is not null order by j.number
  )
  select j.number, j.rejection, j.record_id, j.new_position, j.info, j.registry_version, j.schema_version, j.oldest_ms
  -- The join makes PostgreSQL run `kept`.
  from judged j left join kept k on k.number = j.number;
end
$function$;
