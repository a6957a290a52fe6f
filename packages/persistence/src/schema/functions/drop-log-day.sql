-- Drops a day in one step, or fails with `lock_not_available`. Refuses a day within the retention by the clock of the
-- server. The sums of its deliveries stay.
create or replace function drop_log_day(over date, retention_days integer) returns boolean
language plpgsql set lock_timeout = '250ms' as $function$
begin
  perform pg_advisory_xact_lock(7305815204118312);
  perform from log_day
  where day = over and not dropped and day < (now() at time zone 'UTC')::date - greatest(retention_days, 1);
  if not found then
    return false;
  end if;
  perform drop_day_tables(over, array['log_entry', 'log_hour', 'log_project_hour', 'delivery_report']);
  update log_day set dropped = true where day = over;
  return true;
end
$function$;
