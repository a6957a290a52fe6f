/**
 * Takes the families of a batch for the rest of the transaction, always in the same order: no two batches wait for
 * each other. What the next statement of a function reads is then as the last holder left it.
 */
const LOCK_FAMILIES = `
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

export const FUNCTIONS = [SAVE];
