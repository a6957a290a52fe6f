-- Stores each change whose record, configuration, plugin and former plugins have not changed since it was decided. Of several
-- changes to the same record, only one is stored, not necessarily the first. If a change ends the current revision, that revision
-- is kept. `family_number` is the index of the family in `families`, from 1.
-- Returns the stored changes, by their number in the batch, with the reported values, and the configuration if the plugin has
-- or its version has changed; and the rejected ones: `revoked` if the
-- author's key, one of the `keys`, is revoked; `missing` if the project is deleted; `busy` if the family or the plugin is locked.
-- The settings force plans that fit tables of any size, with index lookups row by row. "is not distinct from" uses no index, so
-- records are looked up by id alone.
create or replace function save_config_records(
  plugins integer[], projects bigint[], families text[], keys bigint[], changes json, wait_ms integer
)
returns table (number bigint, rejected text, error text, delivery_rate text, config bytea)
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $function$
#variable_conflict use_column
declare
  family_versions bigint[];
  revoked bigint[];
begin
  select l.plugins, l.family_versions, l.revoked from lock_for_batch(plugins, projects, families, keys, wait_ms) l
  into plugins, family_versions, revoked;

  return query
  with change as materialized (
    select c.*, c.ordinality as number,
      case
        when c.actor_key_id = any (revoked) then 'revoked'
        when not exists (
          select from config_family f where f.project_id = projects[c.family_number] and f.family = families[c.family_number]
        ) then 'missing'
        when family_versions[c.family_number] is null or c.plugin <> all (plugins) then 'busy'
      end as rejected
    from rows from (json_to_recordset(changes) as (
      id bigint,
      family_number integer,
      version bigint,
      config_version bigint,
      registry_version bigint,
      plugin integer,
      enabled boolean,
      name text,
      description text,
      deleted boolean,
      position integer,
      schema_version integer,
      pinned_version text,
      former_plugins integer[],
      config bytea,
      shows_config boolean,
      stays_invalid boolean,
      ends_revision boolean,
      ended_config bytea,
      activity text,
      at timestamptz,
      actor_key_id bigint,
      actor_label text,
      actor_subject text,
      request_id text,
      apply_id uuid,
      activity_changes text,
      config_changes bytea,
      more integer
    )) with ordinality as c
  ),
  written as (
    update config_record r set
      plugin = c.plugin, enabled = c.enabled, name = c.name, description = c.description, deleted = c.deleted, position = c.position,
      schema_version = c.schema_version, pinned_version = c.pinned_version,
      former_plugins = coalesce(c.former_plugins, r.former_plugins), config = coalesce(c.config, r.config),
      -- The domain has judged a new configuration, plugin or state. Without one, only a registration changes the mark.
      invalid = r.invalid and c.enabled and c.plugin = r.plugin and c.schema_version = r.schema_version
        and c.pinned_version is not distinct from r.pinned_version and (c.config is null or c.stays_invalid is true),
      updated_at = c.at, config_version = r.config_version + (c.config is not null)::integer,
      revision = r.revision + (c.ends_revision is true)::integer,
      revision_at = case when c.ends_revision then c.at else r.revision_at end,
      revision_key_id = case when c.ends_revision then c.actor_key_id else r.revision_key_id end,
      revision_label = case when c.ends_revision then c.actor_label else r.revision_label end,
      revision_subject = case when c.ends_revision then c.actor_subject::json else r.revision_subject end,
      revision_request_id = case when c.ends_revision then c.request_id else r.revision_request_id end,
      version = r.version + 1,
      family_version = family_versions[c.family_number] + 1
    from change c
    where r.id = c.id and c.rejected is null
      and r.project_id is not distinct from projects[c.family_number]
      and r.family is not distinct from families[c.family_number]
      and r.version = c.version and r.config_version = c.config_version
      and case
        when coalesce(c.former_plugins, r.former_plugins) = '{}' then (select i.registry_version from plugin i where i.id = c.plugin)
        else (
          select max(i.registry_version) from plugin i
          where i.id = any (coalesce(c.former_plugins, r.former_plugins) || c.plugin)
        )
      end is not distinct from c.registry_version
    returning r.id, r.project_id, r.family, r.version, r.error, r.delivery_rate, c.number,
      case when c.shows_config then r.config end as shown_config,
      c.activity, c.at, c.actor_key_id, c.actor_label, c.actor_subject, c.request_id, c.apply_id, c.activity_changes, c.config_changes, c.more,
      c.ends_revision, c.ended_config
  ),
  ended as (
    insert into config_revision (
      record_id, number, created_at, actor_key_id, actor_label, actor_subject, request_id, name, description,
      schema_version, pinned_version, config
    )
    select r.id, r.revision, coalesce(r.revision_at, r.created_at), r.revision_key_id, coalesce(r.revision_label, 'unknown'),
      r.revision_subject, r.revision_request_id, r.name, r.description, r.schema_version, r.pinned_version, w.ended_config
    from written w, lateral (select * from config_record r where r.id = w.id limit 1) r
    where w.ends_revision
  ),
  logged as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, actor_subject, request_id, apply_id, config_changes, changes, more)
    select w.id, w.activity, greatest(w.at, (
      select a.created_at from activity a
      where a.record_id between w.id and w.id order by a.record_id desc, a.id desc limit 1
    )), w.actor_key_id, w.actor_label, w.actor_subject::json, w.request_id, w.apply_id, w.config_changes, w.activity_changes::json, w.more from written w order by w.number
  ),
  -- The worker ends the jobs of deleted records as if their leases had ended.
  revoked_leases as (
    update task t set due_at = null, lease_until = '-infinity', attempts = t.attempts + 1
    from change c, written w
    where c.deleted and w.number = c.number and t.project_id = w.project_id and t.kind = 'plugin_job' and t.key = w.id
      and (t.due_at is null or t.due_at < 'infinity')
  ),
  -- What runtimes write back is no edit.
  kept_applied as (
    update managed_record m set applied_version = w.version from written w
    where w.activity = 'config_written' and m.record_id = w.id and m.applied_version = w.version - 1
  ),
  incremented as (
    update config_family f set family_version = f.family_version + 1, list_version = f.list_version + 1,
      changed_xid = pg_current_xact_id()::text::bigint, write_backs = f.write_backs + (not exists (
        select from written w where w.project_id = f.project_id and w.family = f.family and w.activity <> 'config_written'
      ))::integer
    where (f.project_id, f.family) in (select w.project_id, w.family from written w)
  )
  select w.number, null, w.error, w.delivery_rate, w.shown_config from written w
  union all
  select c.number, c.rejected, null, null, null from change c where c.rejected is not null;
end
$function$;
