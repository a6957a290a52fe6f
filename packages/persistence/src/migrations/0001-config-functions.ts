/** What is registered about a plugin stays as it is while records are attached to it: the advisory locks of that. */
export const PLUGIN_LOCKS = 7305;

/**
 * Takes the plugins, then the families of a batch for the rest of the transaction, always in the same order: no two batches wait for
 * each other. What the next statement of a function reads is then as the last holder left it.
 */
const LOCK_FAMILIES = `
  perform pg_advisory_xact_lock_shared(${PLUGIN_LOCKS}, c.plugin)
  from (select distinct plugin from json_to_recordset(changes) as c (plugin integer) order by plugin) c;

  perform from config_family f
  where (f.project_id, f.family) in (
    select c.project_id, c.family from json_to_recordset(changes) as c (project_id bigint, family text)
  )
  order by f.project_id, f.family
  for no key update;`;

/** The plans must suit tables of any size: looked up by index, row by row. */
const PLANS = 'set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off';

/**
 * Stores each change whose record, configuration and plugin are still what it was decided upon; of several changes of
 * one record the first. Answers the stored ones by their number in the batch.
 */
const SAVE = `
create function save_config_records(changes json)
returns table (number bigint, saved config_record, plugin_info text)
language plpgsql ${PLANS} as $function$
#variable_conflict use_column
begin
  ${LOCK_FAMILIES}

  return query
  with change as materialized (
    select * from rows from (
      json_to_recordset(changes) as (
        id bigint, project_id bigint, family text, version bigint, known_config text, plugin_info text,
        plugin integer, enabled boolean, "position" integer, name text, description text, deleted boolean,
        config text, secrets text, updated_at timestamptz,
        activity text, at timestamptz, actor_key_id bigint, actor_label text, request_id text, told text
      )
    ) with ordinality as c (
      id, project_id, family, version, known_config, plugin_info,
      plugin, enabled, "position", name, description, deleted,
      config, secrets, updated_at,
      activity, at, actor_key_id, actor_label, request_id, told, number
    )
  ),
  winner as (
    select distinct on (c.id) c.* from change c order by c.id, c.number
  ),
  stored as (
    update config_record r set
      plugin = w.plugin, enabled = w.enabled, "position" = w."position", name = w.name, description = w.description,
      deleted = w.deleted, config = coalesce(w.config, r.config), secrets = coalesce(w.secrets::json, r.secrets),
      updated_at = w.updated_at, version = r.version + 1
    from winner w
    where r.id = w.id and r.project_id = w.project_id and r.family = w.family
      and r.version = w.version and r.config = w.known_config
      and (select i.info from plugin i where i.id = w.plugin) is not distinct from w.plugin_info
    returning w.number, r as saved, w.plugin_info
  ),
  logged as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id, changes)
    select c.id, c.activity, c.at, c.actor_key_id, c.actor_label, c.request_id, c.told::json
    from stored s join change c on c.number = s.number order by c.number
  ),
  raised as (
    update config_family f set revision = f.revision + 1, version = f.version + 1
    where (f.project_id, f.family) in (select (s.saved).project_id, (s.saved).family from stored s)
  )
  select s.number, s.saved, s.plugin_info from stored s;
end
$function$`;

/**
 * Stores new records one after the other, each with what its plugin is seeded with. Answers each by its number in the
 * batch: stored, or what it was refused for. The position, where it is given out here, is told as the third change.
 */
const CREATE = `
create function create_config_records(changes json)
returns table (number bigint, refused text, created config_record, plugin_info text)
language plpgsql ${PLANS} as $function$
#variable_conflict use_column
declare
  draft record;
  place bigint;
  stored bigint[] := '{}';
begin
  ${LOCK_FAMILIES}

  for draft in
    select d.*, p.id is not null as registered, p.info, p.seed_config, p.seed_secrets
    from rows from (
      json_to_recordset(changes) as (
        project_id bigint, family text, plugin integer, enabled boolean, "position" integer, name text,
        description text, deleted boolean, require_registered boolean,
        at timestamptz, actor_key_id bigint, actor_label text, request_id text, told text
      )
    ) with ordinality as d (
      project_id, family, plugin, enabled, "position", name, description, deleted, require_registered,
      at, actor_key_id, actor_label, request_id, told, number
    )
    left join plugin p on p.id = d.plugin
    order by d.number
  loop
    number := draft.number;
    refused := null;
    created := null;
    plugin_info := draft.info;
    place := draft."position";
    if place is null then
      select coalesce(max(r."position")::bigint, 0) + 1 into place from config_record r
      where r.project_id = draft.project_id and r.family = draft.family and not r.deleted;
    end if;

    if draft.require_registered and not draft.registered then
      refused := 'unregistered';
    elsif place > 2147483647 then
      refused := 'no_next_position';
    else
      insert into config_record as r (
        project_id, family, plugin, enabled, "position", name, description, deleted,
        config, secrets, created_at, updated_at, version
      ) values (
        draft.project_id, draft.family, draft.plugin, draft.enabled, place, draft.name, draft.description,
        draft.deleted, coalesce(draft.seed_config, '{}'), coalesce(draft.seed_secrets, '{}'), draft.at, draft.at, 1
      ) returning r.* into created;

      insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id, changes)
      values (
        created.id, 'created', draft.at, draft.actor_key_id, draft.actor_label, draft.request_id,
        case when draft."position" is not null then draft.told::json else jsonb_insert(
          draft.told::jsonb, '{2}', jsonb_build_object('field', 'order', 'before', null, 'after', place)
        )::json end
      );
      stored := stored || created.id;
    end if;
    return next;
  end loop;

  update config_family f set revision = f.revision + 1, version = f.version + 1
  where (f.project_id, f.family) in (select r.project_id, r.family from config_record r where r.id = any (stored));
end
$function$`;

export const FUNCTIONS = [SAVE, CREATE];
