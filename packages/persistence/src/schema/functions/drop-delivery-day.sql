-- Drops the sums of the deliveries of a day, or fails with `lock_not_available`. Refuses a day of the logs that is not dropped
-- yet: a report may still be counted on it.
create or replace function drop_delivery_day(over date) returns boolean
language plpgsql set lock_timeout = '250ms' as $function$
begin
  perform pg_advisory_xact_lock(7305815204118312);
  perform from log_day where day = over and dropped;
  if not found or to_regclass('delivery_sum' || to_char(over, '_YYYYMMDD')) is null then
    return false;
  end if;
  perform drop_day_tables(over, array['delivery_sum']);
  return true;
end
$function$;
