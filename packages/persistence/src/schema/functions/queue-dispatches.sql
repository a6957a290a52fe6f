-- Returns the payload of an event with what its receiver needs to name it: the project, the record and its plugin if it is about one,
-- and the page of the console if the service knows its address.
create or replace function described_event(payload text, project bigint, record bigint)
returns text language sql stable set enable_hashjoin = off set enable_mergejoin = off as $function$
  select left(payload, -2) || ',' || substr(json_build_object(
    'project', json_build_object('id', p.id, 'external_id', p.external_id, 'name', p.name),
    'record', case when r.id is not null then json_build_object(
      'id', r.id, 'name', coalesce(nullif(btrim(r.name), ''), coalesce(i.name, 'Record') || ' ' || r.id)
    ) end,
    'plugin', case when r.id is not null then json_build_object('id', r.plugin, 'name', i.name) end,
    'url', nullif(current_setting('plugin_config.public_url', true), '') || '/console/projects/' || project
      || coalesce('/' || r.family || '/' || r.id, '')
  )::text, 2) || '}'
  from project p
  left join lateral (select * from config_record r where r.id = record and r.project_id = p.id limit 1) r on true
  left join lateral (select * from plugin i where i.id = r.plugin limit 1) i on true
  where p.id = project
$function$;

-- Adds a dispatch and its task for each enabled webhook and event that it subscribes to, in the order of the events. A webhook gets
-- an event with the same key once. Locks the webhooks of these projects first, always in the same order: then the next statement
-- sees how many dispatches wait. A webhook with 10,000 of them is paused, and gets no events until half of them have ended.
create or replace function queue_dispatches(
  projects bigint[], keys text[], types text[], payloads text[], records bigint[]
)
returns void language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $function$
#variable_conflict use_column
begin
  perform from webhook w where w.project_id = any (projects) and w.enabled order by w.id for no key update;
  if not found then
    return;
  end if;

  with wanted as materialized (
    select w.id as webhook_id, w.project_id, w.account_id, w.paused_at, e.key, e.type, e.payload, e.record_id, e.number,
      w.waiting + row_number() over (partition by w.id order by e.number) as place
    from webhook w
    join unnest(projects, keys, types, payloads, records) with ordinality e (
      project_id, key, type, payload, record_id, number
    )
      on e.project_id = w.project_id and e.type = any (w.events)
    where w.project_id = any (projects) and w.enabled
  ),
  queued as (
    insert into webhook_dispatch (project_id, webhook_id, event_key, type, payload, created_at, due_at)
    select w.project_id, w.webhook_id, w.key, w.type, described_event(w.payload, w.project_id, w.record_id),
      statement_timestamp(), statement_timestamp()
    from wanted w where w.paused_at is null and w.place <= 10000
    order by w.number, w.webhook_id
    on conflict (webhook_id, event_key) do nothing
    returning number, project_id, webhook_id
  ),
  added as (
    insert into task (kind, project_id, account_id, key, payload)
    select 'dispatch', q.project_id, w.account_id, q.webhook_id, q.number
    from queued q join webhook w on w.id = q.webhook_id order by q.number
  )
  update webhook w set waiting = w.waiting + (select count(*) from queued q where q.webhook_id = w.id),
    paused_at = case when c.is_full then coalesce(w.paused_at, statement_timestamp()) else w.paused_at end
  from (select webhook_id, bool_or(place >= 10000) as is_full from wanted group by webhook_id) c
  where w.id = c.webhook_id;
end
$function$;

-- Queues the events of new entries in the histories of records, in the transaction of the change.
create or replace function dispatch_record_events()
returns trigger language plpgsql set enable_hashjoin = off set enable_mergejoin = off as $function$
#variable_conflict use_column
begin
  perform queue_dispatches(array_agg(e.project_id), array_agg(e.key), array_agg(e.type), array_agg(e.payload),
    array_agg(e.record_id))
  from (
    select r.project_id, r.id as record_id, 'activity ' || a.id as key, t.type,
      json_build_object(
        'type', t.type,
        'timestamp', to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'data', json_build_object(
          'project_id', r.project_id, 'family', r.family, 'record_id', r.id, 'version', r.version, 'activity', a.activity,
          'actor', json_build_object('key_id', a.actor_key_id, 'label', a.actor_label)
        )
      )::text as payload
    from entries a
    join config_record r on r.id = a.record_id
    cross join lateral (
      select case
        -- Alerts are the only actors without a key besides the operator.
        when a.actor_key_id is null and a.actor_label <> 'operator' then 'record.disabled_by_alert'
        when a.activity = 'created' then 'record.created'
        when a.activity = 'deleted' then 'record.deleted'
        else 'record.updated'
      end as type
    ) t
    where a.activity not like 'job\_%' and exists (select from webhook w where w.project_id = r.project_id and w.enabled)
    order by a.id
  ) e
  having count(*) > 0;
  return null;
end
$function$;
