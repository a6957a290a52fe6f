-- The keys that a schema declares secret.
create or replace function declared_secrets(config_schema json) returns setof text language sql immutable as $function$
  select f ->> 'key' from json_array_elements(config_schema) f where f ->> 'secret' = 'true'
$function$;

-- Notes that the histories and editions of these records are still to be masked for these keys.
create or replace function note_keys(records bigint[], keys text[]) returns void language sql as $function$
  with noted as (
    select r.id, s.key from unnest(records) r (id), unnest(keys) s (key) order by r.id, s.key
  ),
  editions as (
    insert into unmasked_edition (record_id, key) select * from noted
    on conflict (record_id, key) do update set up_to = 0
  )
  insert into unmasked_history (record_id, key) select * from noted
  on conflict (record_id, key) do update set up_to = 0
$function$;

-- A record leaves a plugin for another one: notes what the new one declares secret, and what the old one does, if its sealing
-- may not have come to the record.
create or replace function note_secrets_of_plugins() returns trigger language plpgsql as $function$
begin
  perform note_keys(array[new.id], k.keys) from (
    select array(
      select s.key from plugin p, declared_secrets(p.config_schema) s (key)
      where p.id = new.plugin or p.id = old.plugin and p.sealed_up_to is not null
    ) as keys
  ) k where k.keys <> '{}';
  return null;
end
$function$;

-- A registration ends before its sealing has come to all records: notes what it declared secret in the others.
create or replace function note_unsealed_secrets() returns trigger language plpgsql as $function$
begin
  perform note_keys(
    array(
      select r.id from config_record r
      left join config_record c on c.id = old.sealed_up_to
      where r.plugin = old.id and (r.project_id, r.family, r.id)
        > (coalesce(c.project_id, 0), coalesce(c.family, ''), coalesce(c.id, 0))
    ),
    k.keys
  ) from (select array(select declared_secrets(old.config_schema)) as keys) k where k.keys <> '{}';
  return null;
end
$function$;
