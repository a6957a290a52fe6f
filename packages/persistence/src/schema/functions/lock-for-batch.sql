-- Locks the plugins and families of a batch. Returns the locked plugins, the versions of the families in their order (null if a
-- family could not be locked), and the `keys` that are revoked. The caller's next statement sees the data as of these locks.
-- To avoid deadlocks, all writers lock plugins before families, and each in the order of their ids. If `wait_ms` is null, skips
-- locked plugins and families, and waits up to 250 ms for a record that is locked without its family. Otherwise waits up to
-- `wait_ms` for each lock.
create or replace function lock_for_batch(
  inout plugins integer[], projects bigint[], families text[], keys bigint[], wait_ms integer,
  out family_versions bigint[], out revoked bigint[]
)
language plpgsql as $function$
#variable_conflict use_column
begin
  if wait_ms is null then
    select
      array(
        select u.plugin from unnest(plugins) as u (plugin) where pg_try_advisory_xact_lock_shared(7305, u.plugin)
      ),
      array(
        select (
          select f.family_version from config_family f where f.project_id = u.project_id and f.family = u.family
          for no key update skip locked
        )
        from unnest(projects, families) as u (project_id, family)
      ),
      set_config('lock_timeout', '250', true)
    into plugins, family_versions;
  else
    perform set_config('lock_timeout', wait_ms::text, true);
    perform pg_advisory_xact_lock_shared(7305, p.plugin)
    from (select u.plugin from unnest(plugins) as u (plugin) order by u.plugin) p;
    perform from config_family f
    where (f.project_id, f.family) in (select * from unnest(projects, families))
    order by f.project_id, f.family
    for no key update;
    family_versions := array(
      select (select f.family_version from config_family f where f.project_id = u.project_id and f.family = u.family)
      from unnest(projects, families) as u (project_id, family)
    );
  end if;
  revoked := array(select k.id from api_key k where k.id = any (keys) and k.revoked_at is not null);
end
$function$;
