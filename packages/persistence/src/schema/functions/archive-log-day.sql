-- Ends a run of the archiver: marks the day as archived and drops its entries. Returns false if the counters show that more
-- entries have been stored since. Fails with `lock_not_available` if the day is in use. No batch is in progress while the
-- counters are read.
create or replace function archive_log_day(ended_day date, copied_by integer, entries bigint) returns boolean
language plpgsql set lock_timeout = '250ms' as $function$
declare
  counted bigint;
begin
  perform pg_advisory_xact_lock(7305815204118312);
  perform from log_day where day = ended_day and state in ('hot', 'late') and run = copied_by - 1;
  if not found then
    return false;
  end if;
  lock table only log_entry in access exclusive mode;
  select coalesce(sum(n), 0) into counted
  from log_hour h cross join unnest(h.counts) n
  where h.hour >= ended_day::timestamp at time zone 'UTC' and h.hour < (ended_day + 1)::timestamp at time zone 'UTC';
  if counted <> entries + (select archived from log_day where day = ended_day) then
    return false;
  end if;
  perform drop_day_tables(ended_day, array['log_entry']);
  update log_day set state = 'archived', run = copied_by, archived = archived + entries where day = ended_day;
  return true;
end
$function$;
