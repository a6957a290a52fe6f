import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.ts';
import { HISTORY_IS_LONG } from '../../plugin/history-is-long.ts';

/**
 * What a batch touches, told beside its changes: each change says the place of its family among the families. Where
 * `wait_ms` is null, a batch takes only what is free; else it waits for all of it, no longer than that.
 */
const PARAMETERS = 'plugins integer[], projects bigint[], families text[], changes json, wait_ms integer';

/** How long a batch that waits for nobody is held up by whoever locks a record without its family. */
const NO_WAIT_MS = 250;

/**
 * Takes the plugins and then the families of a batch for the rest of the transaction, those that it waits for always
 * in the same order: no two batches wait for each other. What the next statement of a function reads is as the last
 * holder left it.
 */
const LOCKS = `
  perform set_config('lock_timeout', coalesce(wait_ms, ${NO_WAIT_MS})::text, true);
  if wait_ms is null then
    plugins := array(
      select u.plugin from unnest(plugins) as u (plugin) where pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, u.plugin)
    );
    places := array(
      select u.place
      from unnest(projects, families) with ordinality as u (project_id, family, place)
      join config_family f on f.project_id = u.project_id and f.family = u.family
      order by f.project_id, f.family
      for no key update of f skip locked
    );
  else
    perform pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, p.plugin)
    from (select u.plugin from unnest(plugins) as u (plugin) order by u.plugin) p;
    places := array(select generate_subscripts(projects, 1));
    perform from config_family f
    where (f.project_id, f.family) in (select * from unnest(projects, families))
    order by f.project_id, f.family
    for no key update;
  end if;`;

/**
 * The plans must suit tables of any size: looked up by index, row by row, and records by their id alone (which
 * "is not distinct from" sees to: it is for no index).
 */
const PLANS = 'set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off';

/**
 * Stores each change whose record, configuration and plugin are still what it was decided upon; of several that are,
 * of one record, any one. Answers those that it stored by their number in the batch, with what is only reported; and
 * those that somebody else holds.
 */
const SAVE = `
create function save_config_records(${PARAMETERS})
returns table (number bigint, held boolean, error text, delivery_rate text)
language plpgsql ${PLANS} as $function$
#variable_conflict use_column
declare
  places bigint[];
begin
  perform set_config('plugin_config.history', 'short', true);
  ${LOCKS}

  return query
  with change as materialized (
    select c.*, c.place <> all (places) or c.plugin <> all (plugins) as held from rows from (
      json_to_recordset(changes) as (
        id bigint, project_id bigint, family text, place integer, version bigint, config_revision bigint, plugin_revision bigint,
        plugin integer, enabled boolean, "position" integer, name text, description text, deleted boolean,
        config text, secrets text, updated_at timestamptz,
        activity text, at timestamptz, actor_key_id bigint, actor_label text, request_id text, told text,
        more integer
      )
    ) with ordinality as c (
      id, project_id, family, place, version, config_revision, plugin_revision,
      plugin, enabled, "position", name, description, deleted,
      config, secrets, updated_at,
      activity, at, actor_key_id, actor_label, request_id, told, more,
      number
    )
  ),
  stored as (
    update config_record r set
      plugin = c.plugin, enabled = c.enabled, "position" = c."position", name = c.name, description = c.description,
      deleted = c.deleted, config = coalesce(c.config, r.config), secrets = coalesce(c.secrets::json, r.secrets),
      updated_at = c.updated_at, version = r.version + 1,
      config_revision = r.config_revision + (c.config is not null)::integer
    from change c
    where r.id = c.id and not c.held
      and r.project_id is not distinct from c.project_id and r.family is not distinct from c.family
      and r.version = c.version and r.config_revision = c.config_revision
      and (select i.revision from plugin i where i.id = c.plugin) is not distinct from c.plugin_revision
    returning r.id, r.project_id, r.family, r.error, r.delivery_rate,
      c.number, c.activity, c.at, c.actor_key_id, c.actor_label, c.request_id, c.told, c.more
  ),
  logged as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id, changes, more)
    select s.id, s.activity, s.at, s.actor_key_id, s.actor_label, s.request_id, s.told::json, s.more
    from stored s order by s.number
  ),
  raised as (
    update config_family f set revision = f.revision + 1, version = f.version + 1
    where (f.project_id, f.family) in (select s.project_id, s.family from stored s)
  )
  select s.number, false, s.error, s.delivery_rate from stored s
  union all
  select c.number, true, null, null from change c where c.held;
end
$function$`;

/**
 * Stores new records, each with what its plugin is seeded with, as if one after the other: first those that bring
 * their position, then the others, which it gives the next ones and tells so in their entries. Answers each by its
 * number in the batch: as it was stored, or what it was refused for, also where somebody else holds it. Where there is
 * no such family there is no answer.
 */
const CREATE = `
create function create_config_records(${PARAMETERS})
returns table (number bigint, refused text, id bigint, "position" bigint, config text, plugin_info text, plugin_revision bigint)
language plpgsql ${PLANS} as $function$
#variable_conflict use_column
declare
  places bigint[];
begin
  ${LOCKS}

  return query
  with draft as materialized (
    select d.*, i.info, i.revision, coalesce(i.seed_config, '{}') as config, coalesce(i.seed_secrets, '{}') as secrets,
      d.require_registered and i.id is null as unregistered,
      d.place <> all (places) or d.plugin <> all (plugins) as held,
      not d.deleted and not (d.require_registered and i.id is null)
        and d.place = any (places) and d.plugin = any (plugins) as live
    from rows from (
      json_to_recordset(changes) as (
        project_id bigint, family text, place integer, plugin integer, enabled boolean, "position" bigint, name text,
        description text, deleted boolean, require_registered boolean,
        at timestamptz, actor_key_id bigint, actor_label text, request_id text, told text
      )
    ) with ordinality as d (
      project_id, family, place, plugin, enabled, "position", name, description, deleted, require_registered,
      at, actor_key_id, actor_label, request_id, told, number
    )
    join config_family f on f.project_id = d.project_id and f.family = d.family
    left join plugin i on i.id = d.plugin
  ),
  placed as materialized (
    select d.*, nextval('config_record_id_seq') as id,
      coalesce(d."position", 1 + greatest(
        0,
        (select max(r."position") from config_record r
          where r.project_id = d.project_id and r.family = d.family and not r.deleted),
        max(d."position") filter (where d.live) over (partition by d.project_id, d.family)
      ) + count(*) filter (where d.live and d."position" is null) over (
        partition by d.project_id, d.family order by d.number rows between unbounded preceding and 1 preceding
      )) as given
    from draft d
  ),
  judged as materialized (
    select p.*, case
      when p.held then 'held'
      when p.unregistered then 'unregistered'
      when p.given > 2147483647 then 'no_next_position'
    end as refused
    from placed p
  ),
  stored as (
    insert into config_record (
      id, project_id, family, plugin, enabled, "position", name, description, deleted,
      config, secrets, created_at, updated_at, version
    )
    select j.id, j.project_id, j.family, j.plugin, j.enabled, j.given, j.name, j.description, j.deleted,
      j.config, j.secrets, j.at, j.at, 1
    from judged j where j.refused is null
  ),
  logged as (
    insert into activity (record_id, activity, created_at, actor_key_id, actor_label, request_id, changes)
    select j.id, 'created', j.at, j.actor_key_id, j.actor_label, j.request_id,
      replace(j.told, '"after":-1}', '"after":' || j.given || '}')::json
    from judged j where j.refused is null order by j."position" is null, j.number
  ),
  raised as (
    update config_family f set revision = f.revision + 1, version = f.version + 1
    where (f.project_id, f.family) in (select j.project_id, j.family from judged j where j.refused is null)
  )
  select j.number, j.refused, j.id, j.given, j.config, j.info, j.revision from judged j;
end
$function$`;

/**
 * No history turns back in time: an entry is never older than the one before it, whoever writes them and whatever
 * their clocks say. Writers of a record's entries hold its family. The last entry is looked up by the index of the
 * record alone, whatever the planner thinks of a table that is small yet: hence the range of one.
 */
const KEEP_TIME = `
create function keep_time() returns trigger language plpgsql as $function$
begin
  new.created_at := greatest(new.created_at, (
    select a.created_at from activity a
    where a.record_id between new.record_id and new.record_id order by a.record_id desc, a.id desc limit 1
  ));
  return new;
end
$function$`;

const KEEP_TIME_OF_ACTIVITY = `
create trigger activity_time_trigger before insert on activity for each row execute function keep_time()`;

/** The ids of the keys that secrets are sealed with, in order. An index takes no more than some of very many. */
const SECRET_KEYS = `
create function secret_keys(secrets json) returns text language sql immutable as $function$
  select string_agg(k.id, ',' order by k.id collate "C") from (
    select distinct split_part(s.value, '.', 1) as id from json_each_text(secrets) s order by id limit 32
  ) k
$function$`;

/** Which keys are in use is looked up here, and so is what a rotation has left. */
const SECRET_KEYS_INDEX = `
create index config_record_secret_keys_index on config_record (secret_keys(secrets), id) where secrets::text <> '{}'`;

/** Whether the changes of an activity entry tell a value of one of the fields, given as JSON texts. */
const CHANGES_TELL = `
create function changes_tell(changes json, fields text[]) returns boolean language sql immutable as $function$
  select exists (
    select from json_array_elements(changes) as c (change)
    where (c.change -> 'field')::text = any (fields)
      and ((c.change -> 'before')::text not in ('null', '"********"')
        or (c.change -> 'after')::text not in ('null', '"********"'))
  )
$function$`;

const MASK_CHANGES = `
create function mask_changes(changes json, fields text[]) returns json language sql immutable as $function$
  select json_agg(
    case when (c.change -> 'field')::text = any (fields) then json_build_object(
      'field', c.change -> 'field',
      'before', case when (c.change -> 'before')::text <> 'null' then '********' end,
      'after', case when (c.change -> 'after')::text <> 'null' then '********' end
    ) else c.change end order by c.number
  )
  from json_array_elements(changes) with ordinality as c (change, number)
$function$`;

/** So much of a history is masked at a time. */
const MOST_ENTRIES = 200;
const MOST_BYTES = 2 * 1024 * 1024;

/** The index of histories is walked in its order, whatever the planner thinks of a table that is small yet. */
const BY_INDEX = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off';

/** Up to which entry the record's history tells no value of the fields. */
const MASKED_UP_TO = `
create function masked_up_to(record bigint, fields text[]) returns bigint language sql stable as $function$
  select coalesce(min(coalesce(m.up_to, 0)), 0)
  from unnest(fields) as f (field) left join masked_history m on m.record_id = record and m.field = f.field
$function$`;

/**
 * Masks the next portion of the records' histories, one record after the other, and answers how many records are done.
 * Where it stops amid a history it remembers how far it came: whoever goes on begins there.
 */
const MASK_PORTION = `
create function mask_history_portion(records bigint[], fields text[]) returns integer
language plpgsql ${BY_INDEX} as $function$
declare
  begun bigint;
  reached bigint;
  entry record;
  told bigint[] := '{}';
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
      where a.record_id = records[done + 1] and a.id > begun order by a.record_id, a.id limit ${MOST_ENTRIES} + 1
    loop
      stopped := entries >= ${MOST_ENTRIES} or bytes >= ${MOST_BYTES};
      exit when stopped;
      reached := entry.id;
      entries := entries + 1;
      if entry.activity = 'config_updated' then
        told := told || entry.id;
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
  where a.id = any (told) and changes_tell(a.changes, fields);
  return done;
end
$function$`;

/**
 * What becomes a secret is masked in the record's history too, in the step that seals it. Who must not hold the family
 * for long asks for a short history: where more than a portion is left, nothing is sealed until it was masked beforehand.
 */
const MASK_HISTORY = `
create function mask_history() returns trigger language plpgsql ${BY_INDEX} as $function$
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
    select count(*) > ${MOST_ENTRIES} or sum(e.changes_bytes) filter (where e.activity = 'config_updated') > ${MOST_BYTES}
    from (
      select a.activity, a.changes_bytes from activity a
      where a.record_id = new.id and a.id > begun order by a.record_id, a.id limit ${MOST_ENTRIES} + 1
    ) e
  ) then
    raise exception 'The history of record % must be masked beforehand: it is long.', new.id
      using errcode = '${HISTORY_IS_LONG}';
  end if;
  update activity a set changes = mask_changes(a.changes, fields)
  where a.record_id = new.id and a.id > begun and a.activity = 'config_updated' and changes_tell(a.changes, fields);
  return null;
end
$function$`;

/** Whoever has masked all of the history before says so. */
const MASK_HISTORY_WITH_SECRETS = `
create trigger config_record_secrets_trigger after update of secrets on config_record
for each row when (
  old.secrets::text is distinct from new.secrets::text
  and current_setting('plugin_config.history', true) is distinct from 'masked'
)
execute function mask_history()`;

export const FUNCTIONS = [
  SECRET_KEYS,
  SECRET_KEYS_INDEX,
  KEEP_TIME,
  KEEP_TIME_OF_ACTIVITY,
  CHANGES_TELL,
  MASK_CHANGES,
  MASKED_UP_TO,
  MASK_PORTION,
  MASK_HISTORY,
  MASK_HISTORY_WITH_SECRETS,
  SAVE,
  CREATE,
];
