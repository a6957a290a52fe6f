-- Returns a text that changes whenever entries of a day are stored or erased. Sums hashes, so the order does not matter.
create or replace function state_of_log_day(ended_day date) returns text
language sql stable as $function$
  select count(*) || ' ' || coalesce(sum(hash_record_extended(h, 0)), 0)
  from log_hour h
  where h.hour >= ended_day::timestamp at time zone 'UTC' and h.hour < (ended_day + 1)::timestamp at time zone 'UTC'
$function$;
