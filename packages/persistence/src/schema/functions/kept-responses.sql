-- Returns whether an API key has reached the limit of kept responses in a family, and the age of its oldest kept response there.
-- Returns no row if there is none, or if the key is null. The family must be locked, so no other response can be added.
create or replace function kept_responses(of_project bigint, of_family text, of_key bigint)
returns table (is_full boolean, oldest_ms bigint)
language sql stable as $function$
  select
    l.number - f.number + 1 >= 100000
      or l.total_bytes - f.total_bytes + kept_bytes(f.response) >= 268435456,
    (extract(epoch from statement_timestamp() - f.kept_at) * 1000)::bigint
  from (
    select k.number, k.total_bytes from kept_response k
    where k.project_id = of_project and k.family = of_family and k.key_id = of_key order by k.number desc limit 1
  ) l
  cross join (
    select k.number, k.total_bytes, k.kept_at, k.response from kept_response k
    where k.project_id = of_project and k.family = of_family and k.key_id = of_key order by k.number limit 1
  ) f
$function$;

-- Returns the bytes that a response counts towards the limit.
create or replace function kept_bytes(response json) returns integer language sql immutable as $function$
  select octet_length(response::text) + 300
$function$;

-- Keeps a response with the next number of its API key in the family, which must be locked.
create or replace function keep_response(
  of_name text, of_project bigint, of_family text, of_key bigint, of_digest text, of_response json
)
returns void language sql as $function$
  insert into kept_response (
    name, project_id, family, key_id, digest, response, kept_at, number, total_bytes
  )
  select of_name, of_project, of_family, of_key, of_digest, of_response, clock_timestamp(),
    coalesce(l.number, 0) + 1, coalesce(l.total_bytes, 0) + kept_bytes(of_response)
  from (select) one
  left join (
    select k.number, k.total_bytes from kept_response k
    where k.project_id = of_project and k.family = of_family and k.key_id = of_key order by k.number desc limit 1
  ) l on true
$function$;
