-- Marks a day as copied by a run, and drops its entries. Returns false if entries have been stored or erased since the copy was
-- compared. Fails with `lock_not_available` if the day is in use. No batch is in progress while the counters are read.
create or replace function take_out_log_day(ended_day date, copied_by integer, copied_state text) returns boolean
language plpgsql set lock_timeout = '250ms' as $function$
declare
  entries constant text := to_char(ended_day, '"log_entry_"YYYYMMDD');
begin
  perform pg_advisory_xact_lock(7305815204118312);
  perform from log_day where day = ended_day and in_postgres and run = copied_by - 1;
  if not found then
    return false;
  end if;
  execute format('lock table only log_entry, only %I in access exclusive mode', entries);
  if state_of_log_day(ended_day) <> copied_state then
    return false;
  end if;
  execute format('drop table %I', entries);
  update log_day set in_postgres = false, run = copied_by where day = ended_day;
  return true;
end
$function$;
