-- Drops the delivery sums of a day, or fails with `lock_not_available`. Returns false if the logs of the day are not dropped yet,
-- since reports may still be counted on it.
create or replace function drop_delivery_day(ended_day date) returns boolean
language plpgsql set lock_timeout = '250ms' as $function$
begin
  perform pg_advisory_xact_lock(7305815204118312);
  -- Queries `pg_class`, since `to_regclass` may still find a table that another worker has dropped during the wait.
  perform from log_day d, pg_class t
  where d.day = ended_day and d.state = 'dropped' and t.relname = 'delivery_sum' || to_char(ended_day, '_YYYYMMDD')
    and t.relnamespace = (select p.relnamespace from pg_class p where p.oid = 'delivery_sum'::regclass);
  if not found then
    return false;
  end if;
  perform drop_day_tables(ended_day, array['delivery_sum']);
  return true;
end
$function$;
