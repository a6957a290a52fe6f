-- Masks what became secret in the history of a record. A portion has at most 200 entries and 2 MiB. The history is read in
-- index order, even while the table is small.

-- Whether an activity entry contains a value of one of the fields, given as JSON texts.
create or replace function changes_contain(changes json, fields text[]) returns boolean language sql immutable as $function$
  select exists (
    select from json_array_elements(changes) as c (change)
    where (c.change -> 'field')::text = any (fields)
      and ((c.change -> 'before')::text not in ('null', '"********"')
        or (c.change -> 'after')::text not in ('null', '"********"'))
  )
$function$;

create or replace function mask_changes(changes json, fields text[]) returns json language sql immutable as $function$
  select json_agg(
    case when (c.change -> 'field')::text = any (fields) then json_build_object(
      'field', c.change -> 'field',
      'before', case when (c.change -> 'before')::text <> 'null' then '********' end,
      'after', case when (c.change -> 'after')::text <> 'null' then '********' end
    ) else c.change end order by c.number
  )
  from json_array_elements(changes) with ordinality as c (change, number)
$function$;

-- The last entry up to which the history is masked.
create or replace function masked_up_to(record bigint, fields text[]) returns bigint language sql stable as $function$
  select coalesce(min(coalesce(m.up_to, 0)), 0)
  from unnest(fields) as f (field) left join masked_history m on m.record_id = record and m.field = f.field
$function$;

-- Masks the next portion of the histories, record by record, and returns the number of finished records. Stores a
-- cursor within an unfinished history, where the next call continues.
create or replace function mask_history_portion(records bigint[], fields text[]) returns integer
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $function$
declare
  begun bigint;
  reached bigint;
  entry record;
  updates bigint[] := '{}';
  entries integer := 0;
  bytes bigint := 0;
  stopped boolean := false;
  done integer := 0;
begin
  while not stopped and done < cardinality(records) loop
    begun := masked_up_to(records[done + 1], fields);
    reached := begun;
    for entry in
      select a.id, a.activity, a.changes_bytes from activity a
      where a.record_id = records[done + 1] and a.id > begun order by a.record_id, a.id limit 200 + 1
    loop
      stopped := entries >= 200 or bytes >= 2097152;
      exit when stopped;
      reached := entry.id;
      entries := entries + 1;
      if entry.activity = 'config_updated' then
        updates := updates || entry.id;
        bytes := bytes + entry.changes_bytes;
      end if;
    end loop;
    if reached > begun and (stopped or begun > 0) then
      insert into masked_history as m (record_id, field, up_to)
      select records[done + 1], f.field, reached from unnest(fields) as f (field) order by f.field
      on conflict (record_id, field) do update set up_to = greatest(m.up_to, excluded.up_to);
    end if;
    if not stopped then
      done := done + 1;
    end if;
  end loop;
  update activity a set changes = mask_changes(a.changes, fields)
  where a.id = any (updates) and changes_contain(a.changes, fields);
  return done;
end
$function$;

-- Masks a new secret in the history in the step that seals it. A caller that must not lock the family for long asks for
-- a short history: if more than a portion is left, nothing is sealed until the history is masked.
create or replace function mask_history() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $function$
declare
  fields text[] := array(
    select to_json('config.' || key)::text from json_object_keys(new.secrets) key where old.secrets -> key is null
  );
  begun bigint := masked_up_to(new.id, fields);
begin
  if fields = '{}' then
    return null;
  end if;
  if current_setting('plugin_config.history', true) = 'short' and (
    select count(*) > 200 or sum(e.changes_bytes) filter (where e.activity = 'config_updated') > 2097152
    from (
      select a.activity, a.changes_bytes from activity a
      where a.record_id = new.id and a.id > begun order by a.record_id, a.id limit 200 + 1
    ) e
  ) then
    raise exception 'The history of record % must be masked beforehand: it is long.', new.id
      using errcode = 'PC001';
  end if;
  update activity a set changes = mask_changes(a.changes, fields)
  where a.record_id = new.id and a.id > begun and a.activity = 'config_updated' and changes_contain(a.changes, fields);
  return null;
end
$function$;
