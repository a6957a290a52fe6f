/** The SQLSTATE with which the database refuses to seal a value that a long history still contains. */
export const HISTORY_IS_LONG = 'PC001';

/** Whether an activity entry contains a value of one of the fields, given as JSON texts. */
const CHANGES_CONTAIN = `
create or replace function changes_contain(changes json, fields text[]) returns boolean language sql immutable as $function$
  select exists (
    select from json_array_elements(changes) as c (change)
    where (c.change -> 'field')::text = any (fields)
      and ((c.change -> 'before')::text not in ('null', '"********"')
        or (c.change -> 'after')::text not in ('null', '"********"'))
  )
$function$`;

const MASK_CHANGES = `
create or replace function mask_changes(changes json, fields text[]) returns json language sql immutable as $function$
  select json_agg(
    case when (c.change -> 'field')::text = any (fields) then json_build_object(
      'field', c.change -> 'field',
      'before', case when (c.change -> 'before')::text <> 'null' then '********' end,
      'after', case when (c.change -> 'after')::text <> 'null' then '********' end
    ) else c.change end order by c.number
  )
  from json_array_elements(changes) with ordinality as c (change, number)
$function$`;

/** The size of a portion. */
const MAX_ENTRIES = 200;
const MAX_BYTES = 2 * 1024 * 1024;

/** Reads the history in index order, even while the table is small. */
const BY_INDEX = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off';

/** The last entry up to which the history is masked. */
const MASKED_UP_TO = `
create or replace function masked_up_to(record bigint, fields text[]) returns bigint language sql stable as $function$
  select coalesce(min(coalesce(m.up_to, 0)), 0)
  from unnest(fields) as f (field) left join masked_history m on m.record_id = record and m.field = f.field
$function$`;

/**
 * Masks the next portion of the histories, record by record, and returns the number of finished records. Stores a
 * cursor within an unfinished history, where the next call continues.
 */
const MASK_HISTORY_PORTION = `
create or replace function mask_history_portion(records bigint[], fields text[]) returns integer
language plpgsql ${BY_INDEX} as $function$
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
      where a.record_id = records[done + 1] and a.id > begun order by a.record_id, a.id limit ${MAX_ENTRIES} + 1
    loop
      stopped := entries >= ${MAX_ENTRIES} or bytes >= ${MAX_BYTES};
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
$function$`;

/**
 * Masks a new secret in the history in the step that seals it. A caller that must not lock the family for long asks for
 * a short history: if more than a portion is left, nothing is sealed until the history is masked.
 */
const MASK_HISTORY_OF_RECORD = `
create or replace function mask_history() returns trigger language plpgsql ${BY_INDEX} as $function$
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
    select count(*) > ${MAX_ENTRIES} or sum(e.changes_bytes) filter (where e.activity = 'config_updated') > ${MAX_BYTES}
    from (
      select a.activity, a.changes_bytes from activity a
      where a.record_id = new.id and a.id > begun order by a.record_id, a.id limit ${MAX_ENTRIES} + 1
    ) e
  ) then
    raise exception 'The history of record % must be masked beforehand: it is long.', new.id
      using errcode = '${HISTORY_IS_LONG}';
  end if;
  update activity a set changes = mask_changes(a.changes, fields)
  where a.record_id = new.id and a.id > begun and a.activity = 'config_updated' and changes_contain(a.changes, fields);
  return null;
end
$function$`;

/** Set by a caller that has masked the whole history already. */
const SECRETS_TRIGGER = `
create or replace trigger config_record_secrets_trigger after update of secrets on config_record
for each row when (
  old.secrets::text is distinct from new.secrets::text
  and current_setting('plugin_config.history', true) is distinct from 'masked'
)
execute function mask_history()`;

/** Sorted such that each function follows those that it calls. */
export const MASK_HISTORY = [
  CHANGES_CONTAIN,
  MASK_CHANGES,
  MASKED_UP_TO,
  MASK_HISTORY_PORTION,
  MASK_HISTORY_OF_RECORD,
  SECRETS_TRIGGER,
];
