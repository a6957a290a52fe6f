-- Returns the payload of an event with what its receiver needs to name it: the project, the record and the plugin if it is about them,
-- and the page of the console if the service knows its address.
create or replace function described_event(payload text, project bigint, record bigint, named_plugin integer default null)
returns text language sql stable set enable_hashjoin = off set enable_mergejoin = off as $function$
  select left(payload, -2) || ',' || substr(json_build_object(
    'project', case when p.id is not null then json_build_object(
      'id', p.id, 'external_id', p.external_id, 'name', p.name
    ) end,
    'record', case when r.id is not null then json_build_object(
      'id', r.id, 'name', coalesce(nullif(btrim(r.name), ''), coalesce(i.name, 'Record') || ' ' || r.id)
    ) end,
    'plugin', case when s.plugin is not null then json_build_object('id', s.plugin, 'slug', i.slug, 'name', i.name) end,
    'url', nullif(current_setting('plugin_config.public_url', true), '') || '/console'
      || coalesce('/projects/' || p.id, '') || coalesce('/' || r.family || '/' || r.id, '')
  )::text, 2) || '}'
  from (select) one
  left join project p on p.id = project
  left join lateral (select * from config_record r where r.id = record and r.project_id = p.id limit 1) r on true
  cross join lateral (select coalesce(r.plugin, named_plugin) as plugin) s
  left join lateral (select * from plugin i where i.id = s.plugin limit 1) i on true
$function$;

-- Returns how many dispatches of a webhook wait, up to 10,000.
create or replace function waiting_dispatches(project bigint, webhook bigint)
returns bigint language sql stable as $function$
  select count(*) from (
    select from task t where t.project_id = project and t.kind = 'dispatch'
      and t.key between webhook * 8 and webhook * 8 + 7 limit 10000
  ) t
$function$;

-- Returns the key of the task of a dispatch: the webhook, and the project that the event is about, modulo 8. Tasks of one key run one
-- at a time, so those of a project do.
create or replace function dispatch_key(webhook bigint, payload text)
returns bigint language sql immutable as $function$
  select webhook * 8 + coalesce((payload::json #>> '{data,project_id}')::bigint, 0) % 8
$function$;

-- Adds a dispatch and its task for each enabled webhook and event that it subscribes to, in the order of the events. A webhook gets
-- an event with the same key once. Project 0 has the webhooks for all projects. No webhook is locked, since the changes to all
-- projects would wait for each other: transactions that run at once may exceed the 10,000 dispatches at which a webhook is paused.
-- It gets no events until half of them have ended. A webhook for a plugin also gets events that name the plugin themselves
-- (`plugins`): one about a version of it, or the one that moves a record away from it.
create or replace function queue_dispatches(
  projects bigint[], keys text[], types text[], payloads text[], records bigint[], plugins integer[] default null
)
returns void language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $function$
#variable_conflict use_column
begin
  with wanted as materialized (
    select u.*, row_number() over (partition by u.webhook_id order by u.number) as place
    from (
      select distinct on (w.id, e.key) w.id as webhook_id, w.project_id as owner_id, e.*
      from unnest(projects, keys, types, payloads, records, plugins) with ordinality e (
        project_id, key, type, payload, record_id, plugin, number
      )
      join webhook w on w.project_id in (0, e.project_id) and e.type = any (w.events)
      where w.enabled and w.paused_at is null and (
        w.plugin is null or w.plugin = e.plugin or exists (select from config_record r where r.id = e.record_id and r.plugin = w.plugin)
      )
      order by w.id, e.key, e.number
    ) u
  ),
  room as materialized (
    select w.webhook_id, count(*) as wanted, 10000 - waiting_dispatches(w.owner_id, w.webhook_id) as places
    from wanted w group by w.webhook_id, w.owner_id
  ),
  -- Each event is described once, for all its webhooks.
  described as materialized (
    select e.*, described_event(e.payload, e.project_id, e.record_id, e.plugin) as description
    from (
      select w.number, w.project_id, w.key, w.type, w.payload, w.record_id, w.plugin,
        array_agg(w.webhook_id) as webhooks, array_agg(w.owner_id) as owners
      from wanted w join room o on o.webhook_id = w.webhook_id where w.place <= o.places
      group by w.number, w.project_id, w.key, w.type, w.payload, w.record_id, w.plugin
    ) e
  ),
  queued as (
    insert into webhook_dispatch (project_id, webhook_id, event_key, type, payload, created_at, due_at)
    select w.owner_id, w.webhook_id, e.key, e.type, e.description, statement_timestamp(), statement_timestamp()
    from described e cross join lateral unnest(e.webhooks, e.owners) w (webhook_id, owner_id)
    order by e.number, w.webhook_id
    on conflict (webhook_id, event_key) do nothing
    returning number, project_id, webhook_id, payload
  ),
  added as (
    insert into task (kind, project_id, account_id, key, payload)
    select 'dispatch', q.project_id, w.account_id, dispatch_key(q.webhook_id, q.payload), q.number
    from queued q join webhook w on w.id = q.webhook_id order by q.number
  )
  update webhook w set paused_at = statement_timestamp()
  where w.id = any (array(
    select f.id from room o join webhook f on f.id = o.webhook_id where o.wanted >= o.places
    for no key update of f skip locked
  ));
end
$function$;

-- Queues the events of new entries in the histories of records, in the transaction of the change.
create or replace function dispatch_record_events()
returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off as $function$
#variable_conflict use_column
begin
  perform queue_dispatches(array_agg(e.project_id), array_agg(e.key), array_agg(e.type), array_agg(e.payload),
    array_agg(e.record_id), array_agg(e.former_plugin))
  from (
    select r.project_id, r.id as record_id, 'activity ' || a.id as key, t.type,
      (select (c ->> 'before')::integer from json_array_elements(a.changes) c where c ->> 'field' = 'plugin') as former_plugin,
      json_build_object(
        'type', t.type,
        'timestamp', to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'data', json_build_object(
          'project_id', r.project_id, 'family', r.family, 'record_id', r.id, 'version', r.version, 'activity', a.activity,
          'actor', case
            when a.actor_subject is null then json_build_object('key_id', a.actor_key_id, 'label', a.actor_label)
            else json_build_object(
              'key_id', case when a.actor_subject -> 'hasNoKey' is null then a.actor_key_id end,
              'label', a.actor_label,
              'subject', jsonb_strip_nulls(jsonb_build_object(
                'id', a.actor_subject ->> 'id', 'name', a.actor_subject ->> 'name'
              ))
            )
          end
        )
      )::text as payload
    from entries a
    cross join lateral (select * from config_record r where r.id = a.record_id limit 1) r
    cross join lateral (
      select case
        -- Alerts are the only actors without a key or a subject besides the operator.
        when a.actor_key_id is null and a.actor_subject is null and a.actor_label <> 'operator' then 'record.disabled_by_alert'
        when a.activity = 'created' then 'record.created'
        when a.activity = 'deleted' then 'record.deleted'
        else 'record.updated'
      end as type
    ) t
    where a.activity not like 'job\_%' and exists (
      select from webhook w where w.project_id in (0, r.project_id) and w.enabled and t.type = any (w.events)
    )
    order by a.id
  ) e
  having count(*) > 0;
  return null;
end
$function$;
