import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';

/**
 * The parameters for the locks of a batch. The `family_number` of a change counts its family among the `families`, from 1.
 * If `wait_ms` is null, only free locks are taken; else the batch waits for all of them, no longer than that.
 */
export const BATCH_PARAMETERS =
  'plugins integer[], projects bigint[], families text[], changes json, wait_ms integer';

/** The limit for a batch that does not wait, when a record is locked without its family. */
const NO_WAIT_MS = 250;

/**
 * Locks the plugins and then the families of a batch until the transaction ends, always in the same order, so that no
 * two batches deadlock. Puts the locked ones into `plugins` and `locked_families`. The next statement of the function sees
 * the data after these locks.
 */
export const BATCH_LOCKS = `
  if wait_ms is null then
    select
      array(
        select u.plugin from unnest(plugins) as u (plugin) where pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, u.plugin)
      ),
      array(
        select u.number
        from unnest(projects, families) with ordinality as u (project_id, family, number)
        join config_family f on f.project_id = u.project_id and f.family = u.family
        for no key update of f skip locked
      ),
      set_config('lock_timeout', '${NO_WAIT_MS}', true), set_config('plugin_config.history', 'short', true)
    into plugins, locked_families;
  else
    perform set_config('lock_timeout', wait_ms::text, true), set_config('plugin_config.history', 'short', true);
    perform pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, p.plugin)
    from (select u.plugin from unnest(plugins) as u (plugin) order by u.plugin) p;
    locked_families := array(select generate_subscripts(projects, 1));
    perform from config_family f
    where (f.project_id, f.family) in (select * from unnest(projects, families))
    order by f.project_id, f.family
    for no key update;
  end if;`;

/**
 * Forces plans that suit tables of any size: index lookups row by row, and of records by id alone ("is not distinct
 * from" uses no index).
 */
export const BATCH_PLANS = 'set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off';
