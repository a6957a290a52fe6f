-- Locks the plugins and then the families of a batch until the transaction ends, always in the same order, so that no
-- two batches deadlock. Returns the locked plugins, and the numbers of the locked families, counted from 1. The next
-- statement of the caller sees the data after these locks. If `wait_ms` is null, only free locks are taken, and a record
-- that is locked without its family is waited for no longer than 250 ms; else the batch waits for each lock, no longer
-- than that.
create or replace function lock_batch(
  inout plugins integer[], projects bigint[], families text[], wait_ms integer, out locked_families bigint[]
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
        select u.number
        from unnest(projects, families) with ordinality as u (project_id, family, number)
        join config_family f on f.project_id = u.project_id and f.family = u.family
        for no key update of f skip locked
      ),
      set_config('lock_timeout', '250', true)
    into plugins, locked_families;
  else
    perform set_config('lock_timeout', wait_ms::text, true);
    perform pg_advisory_xact_lock_shared(7305, p.plugin)
    from (select u.plugin from unnest(plugins) as u (plugin) order by u.plugin) p;
    locked_families := array(select generate_subscripts(projects, 1));
    perform from config_family f
    where (f.project_id, f.family) in (select * from unnest(projects, families))
    order by f.project_id, f.family
    for no key update;
  end if;
end
$function$;
