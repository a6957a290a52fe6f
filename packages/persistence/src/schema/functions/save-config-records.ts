import { timeOfEntry } from '../../activity/time-of-entry.ts';
import { LOCKS, PARAMETERS, PLANS } from './lock-batch.ts';
import { NEXT_REVISION } from './next-revision.ts';

/**
 * Stores each change whose record, configuration and plugin are unchanged since it was decided; of several for one
 * record, any one. Returns the stored ones by their number in the batch, with the reported values; and those whose
 * family or plugin is locked by others as busy.
 */
export const SAVE_CONFIG_RECORDS = `
create or replace function save_config_records(${PARAMETERS})
returns table (number bigint, busy boolean, error text, delivery_rate text)
language plpgsql ${PLANS} as $function$
#variable_conflict use_column
declare
  locked_families bigint[];
begin
  ${LOCKS}

  return query
  with change as materialized (
    select c.*, c.family_number <> all (locked_families) or c.plugin <> all (plugins) as busy from rows from (
      json_to_recordset(changes) as (
        id bigint, project_id bigint, family text, family_number integer, version bigint, config_revision bigint, plugin_revision bigint,
        plugin integer, enabled boolean, "position" integer, name text, description text, deleted boolean,
        config text, secrets text, updated_at timestamptz,
        activity text, at timestamptz, actor_key_id bigint, actor_label text, request_id text, activity_changes text,
        more integer
      )
    ) with ordinality as c (
      id, project_id, family, family_number, version, config_revision, plugin_revision,
      plugin, enabled, "position", name, description, deleted,
      config, secrets, updated_at,
      activity, at, actor_key_id, actor_label, request_id, activity_changes, more,
      number
    )
  ),
  stored as (
    update config_record r set
      plugin = c.plugin, enabled = c.enabled, "position" = c."position", name = c.name, description = c.description,
      deleted = c.deleted, config = coalesce(c.config, r.config), secrets = coalesce(c.secrets::json, r.secrets),
      updated_at = c.updated_at, version = r.version + 1,
      config_revision = r.config_revision + (c.config is not null)::integer,
      family_revision = ${NEXT_REVISION}
    from change c
    where r.id = c.id and not c.busy
      and r.project_id is not distinct from c.project_id and r.family is not distinct from c.family
      and r.version = c.version and r.config_revision = c.config_revision
      and (select i.revision from plugin i where i.id = c.plugin) is not distinct from c.plugin_revision
    returning r.id, r.project_id, r.family, r.error, r.delivery_rate,
      c.number, c.activity, c.at, c.actor_key_id, c.actor_label, c.request_id, c.activity_changes, c.more
  ),
  logged as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id, changes, more)
    select s.id, s.activity, ${timeOfEntry('s.id', 's.at')}, s.actor_key_id, s.actor_label, s.request_id, s.activity_changes::json, s.more
    from stored s order by s.number
  ),
  raised as (
    update config_family f set revision = f.revision + 1, version = f.version + 1
    where (f.project_id, f.family) in (select s.project_id, s.family from stored s)
  )
  select s.number, false, s.error, s.delivery_rate from stored s
  union all
  select c.number, true, null, null from change c where c.busy;
end
$function$`;
