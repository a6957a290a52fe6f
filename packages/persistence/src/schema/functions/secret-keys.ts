/** The ids of the keys that secrets are sealed with, in order. An index takes no more than some of very many. */
export const SECRET_KEYS = `
create or replace function secret_keys(secrets json) returns text language sql immutable as $function$
  select string_agg(k.id, ',' order by k.id collate "C") from (
    select distinct split_part(s.value, '.', 1) as id from json_each_text(secrets) s order by id limit 32
  ) k
$function$`;
