-- Drops a day in one step, or fails with `lock_not_available`. Refuses a day within the retention by the clock of the
-- server. Others queue up behind a wait for a table lock, so all waits together have one limit.
create or replace function drop_log_day(over date, retention_days integer) returns boolean
language plpgsql set lock_timeout = '250ms' as $function$
declare
  parents constant text[] := array['log_entry', 'log_block', 'delivery_report', 'delivery_sum'];
  parts constant text[] := array(select p || to_char(over, '_YYYYMMDD') from unnest(parents) p);
  relation text;
  ends timestamptz;
begin
  perform pg_advisory_xact_lock(7305815204118312);
  perform from log_day
  where day = over and not dropped and day < (now() at time zone 'UTC')::date - greatest(retention_days, 1);
  if not found then
    return false;
  end if;
  ends := clock_timestamp() + interval '250 milliseconds';
  foreach relation in array parents || parts loop
    perform set_config(
      'lock_timeout', greatest(1, extract(epoch from ends - clock_timestamp()) * 1000)::integer::text, true
    );
    execute format('lock table only %I in access exclusive mode', relation);
  end loop;
  execute 'drop table ' || array_to_string(parts, ', ');
  update log_day set dropped = true where day = over;
  return true;
end
$function$;
