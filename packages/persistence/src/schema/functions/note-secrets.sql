-- Notes the keys that became secret in a record, in the step that seals their values: its history is still to be masked.
create or replace function note_secrets() returns trigger language plpgsql as $function$
begin
  insert into unmasked_history (record_id, key)
  select new.id, s.key from json_object_keys(new.secrets) as s (key) where old.secrets -> s.key is null order by s.key
  on conflict (record_id, key) do update set up_to = 0;
  return null;
end
$function$;
