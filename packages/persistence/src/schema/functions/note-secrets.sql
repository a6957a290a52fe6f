-- Notes the keys that became secret in a record, in the step that seals their values: its history and its editions are still to
-- be masked.
create or replace function note_secrets() returns trigger language plpgsql as $function$
begin
  with noted as (
    select s.key from json_object_keys(new.secrets) as s (key) where old.secrets -> s.key is null order by s.key
  ),
  editions as (
    insert into unmasked_edition (record_id, key) select new.id, n.key from noted n
    on conflict (record_id, key) do update set up_to = 0
  )
  insert into unmasked_history (record_id, key) select new.id, n.key from noted n
  on conflict (record_id, key) do update set up_to = 0;
  return null;
end
$function$;
