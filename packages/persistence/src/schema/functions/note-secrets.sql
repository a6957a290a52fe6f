-- The keys that a schema declares secret.
create or replace function declared_secrets(config_schema json) returns setof text language sql immutable as $function$
  select f ->> 'key' from json_array_elements(config_schema) f where f ->> 'secret' = 'true'
$function$;

-- The keys of both, each once.
create or replace function both_keys(keys text[], others text[]) returns text[] language sql immutable as $function$
  select array(select unnest(keys) union select unnest(others) order by 1)
$function$;

-- Notes that the histories and editions of these records are still to be masked for these keys.
create or replace function note_keys(records bigint[], keys text[]) returns void language sql as $function$
  with noted as (
    select r.id from unnest(records) r (id) where note_keys.keys <> '{}' order by r.id
  ),
  editions as (
    insert into unmasked_edition as n (record_id, keys) select noted.id, note_keys.keys from noted
    on conflict (record_id) do update set keys = both_keys(n.keys, excluded.keys), up_to = 0
  )
  insert into unmasked_history as n (record_id, keys) select noted.id, note_keys.keys from noted
  on conflict (record_id) do update set keys = both_keys(n.keys, excluded.keys), up_to = 0
$function$;

-- Notes the keys that became secret in a record, in the step that seals their values: its history and its editions are still to
-- be masked.
create or replace function note_secrets() returns trigger language plpgsql as $function$
begin
  perform note_keys(array[new.id], array(
    select s.key from json_object_keys(new.secrets) as s (key) where old.secrets -> s.key is null
  ));
  return null;
end
$function$;

-- A record leaves a plugin for another one: notes what the new one declares secret, and what the old one does or did, if the
-- sealing may not have come to the record.
create or replace function note_secrets_of_plugins() returns trigger language plpgsql as $function$
begin
  perform note_keys(array[new.id], array(
    select s.key from plugin p, declared_secrets(p.config_schema) s (key)
    where p.id = new.plugin or p.id = old.plugin and p.sealed_up_to is not null
    union
    select unnest(c.secrets) from plugin_change c where c.plugin = old.plugin
  ));
  return null;
end
$function$;

-- A registration ends before its sealing has come to all records: keeps what it declared secret, until it is noted for each of
-- them. There may be too many to note them here.
create or replace function note_unsealed_secrets() returns trigger language plpgsql as $function$
begin
  insert into plugin_change as c (plugin, revision, secrets)
  select old.id, old.revision, k.keys from (select array(select declared_secrets(old.config_schema)) as keys) k
  where k.keys <> '{}'
  on conflict (plugin) do update set secrets = both_keys(c.secrets, excluded.secrets);
  return null;
end
$function$;
