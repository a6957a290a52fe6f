import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts';

/**
 * What a batch touches, told beside its changes: each change says the place of its family among the families. Where
 * `wait_ms` is null, a batch takes only what is free; else it waits for all of it, no longer than that.
 */
export const PARAMETERS =
  'plugins integer[], projects bigint[], families text[], changes json, wait_ms integer';

/** How long a batch that waits for nobody is held up by whoever locks a record without its family. */
const NO_WAIT_MS = 250;

/**
 * Takes the plugins and then the families of a batch for the rest of the transaction, those that it waits for always
 * in the same order: no two batches wait for each other. What the next statement of a function reads is as the last
 * holder left it.
 */
export const LOCKS = `
  perform set_config('lock_timeout', coalesce(wait_ms, ${NO_WAIT_MS})::text, true);
  if wait_ms is null then
    plugins := array(
      select u.plugin from unnest(plugins) as u (plugin) where pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, u.plugin)
    );
    places := array(
      select u.place
      from unnest(projects, families) with ordinality as u (project_id, family, place)
      join config_family f on f.project_id = u.project_id and f.family = u.family
      order by f.project_id, f.family
      for no key update of f skip locked
    );
  else
    perform pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, p.plugin)
    from (select u.plugin from unnest(plugins) as u (plugin) order by u.plugin) p;
    places := array(select generate_subscripts(projects, 1));
    perform from config_family f
    where (f.project_id, f.family) in (select * from unnest(projects, families))
    order by f.project_id, f.family
    for no key update;
  end if;`;

/**
 * The plans must suit tables of any size: looked up by index, row by row, and records by their id alone (which
 * "is not distinct from" sees to: it is for no index).
 */
export const PLANS = 'set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off';
