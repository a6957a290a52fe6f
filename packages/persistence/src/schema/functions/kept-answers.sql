-- The answers that are kept for an API key in a family: the number and the total bytes of the last one, whether the limit is
-- reached, and in how many seconds the oldest one is deleted. No row if none is kept, or if the key is null. The family is
-- locked, so that nobody else keeps an answer meanwhile.
create or replace function kept_answers(of_project bigint, of_family text, of_key bigint)
returns table (number bigint, total_bytes bigint, full_up boolean, wait_s integer)
language sql stable as $function$
  select l.number, l.total_bytes,
    l.number - f.number + 1 >= 100000 or l.total_bytes - f.total_bytes >= 268435456,
    greatest(1, least(86400, ceil(extract(epoch from
      f.kept_at + interval '86400000 milliseconds' - statement_timestamp()
    ))))::integer
  from (
    select k.number, k.total_bytes from kept_answer k
    where k.project_id = of_project and k.family = of_family and k.key_id = of_key order by k.number desc limit 1
  ) l
  cross join (
    select k.number, k.total_bytes, k.kept_at from kept_answer k
    where k.project_id = of_project and k.family = of_family and k.key_id = of_key order by k.number limit 1
  ) f
$function$;

-- The bytes that an answer counts.
create or replace function kept_bytes(answer json, origin text) returns integer language sql immutable as $function$
  select octet_length(answer::text) + octet_length(origin) + 300
$function$;
