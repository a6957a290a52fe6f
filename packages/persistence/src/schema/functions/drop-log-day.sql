-- Drops a day in one step, or fails with `lock_not_available`. Returns false if the day is within the retention by the clock of
-- the server.
create or replace function drop_log_day(ended_day date, retention_days integer) returns boolean
language plpgsql set lock_timeout = '250ms' as $function$
declare
  entries constant text := to_char(ended_day, '"log_entry_"YYYYMMDD');
  has_entries boolean;
begin
  perform pg_advisory_xact_lock(7305815204118312);
  select in_postgres into has_entries from log_day
  where day = ended_day and not dropped and day < (now() at time zone 'UTC')::date - greatest(retention_days, 1);
  if not found then
    return false;
  end if;
  -- Readers and writers lock the parent table even if the day has no entries in PostgreSQL.
  lock table only log_entry in access exclusive mode;
  if has_entries then
    execute format('lock table only %I in access exclusive mode', entries);
    execute format('drop table %I', entries);
  end if;
  update log_day set in_postgres = false, dropped = true where day = ended_day;
  delete from log_day where dropped and day < ended_day;
  return true;
end
$function$;
