-- The sorted ids of the keys that sealed the secrets, cut to what an index can store. An index has its results.
create or replace function secret_keys(secrets json) returns text language sql immutable as $function$
  select string_agg(k.id, ',' order by k.id collate "C") from (
    select distinct split_part(s.value, '.', 1) as id from json_each_text(secrets) s order by id limit 32
  ) k
$function$;
