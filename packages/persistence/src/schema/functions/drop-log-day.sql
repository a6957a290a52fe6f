-- Drops a day in one step, or fails with `lock_not_available`. Returns false if the day is within the retention by the clock of
-- the server.
create or replace function drop_log_day(ended_day date, retention_days integer) returns boolean
language plpgsql set lock_timeout = '250ms' as $function$
declare
  is_archived boolean;
begin
  perform pg_advisory_xact_lock(7305815204118312);
  select state = 'archived' into is_archived from log_day
  where day = ended_day and state <> 'dropped' and day < (now() at time zone 'UTC')::date - greatest(retention_days, 1);
  if not found then
    return false;
  end if;
  -- Readers and writers lock the parent table even if the day has no entries in PostgreSQL.
  lock table only log_entry in access exclusive mode;
  perform drop_day_tables(
    ended_day, case when is_archived then '{}' else array['log_entry'] end || array['log_hour', 'log_project_hour', 'delivery_report']
  );
  update log_day set state = 'dropped' where day = ended_day;
  return true;
end
$function$;
