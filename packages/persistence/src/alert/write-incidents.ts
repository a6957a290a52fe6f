import {
  incidentClosed,
  incidentOpened,
  INCIDENTS_KEPT_MAX,
  OPEN_INCIDENTS_MAX,
  SERVICE,
  type Alert,
  type Incident,
  type IncidentReason,
} from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { prepared, run, type Cells } from '../postgres/statement.ts';
import { queueEvents } from '../webhook/queue-events.ts';
import { INCIDENT } from './alert-columns.ts';

const OF_PROJECT = columns((row) => ({ ...row.all(INCIDENT), projectId: row.number('i.project_id') }));

/** The number of open incidents of an alert about a record each. */
const OPEN_OF_RECORDS = (alertId: string) =>
  `(select count(*) from incident o where o.alert_id = ${alertId} and o.is_open and o.record_id is not null)`;

/** The project of a record, or that with this negative id. */
const PROJECT_OF = 'coalesce(r.project_id, -t.record_id)';

/**
 * Opens incidents, up to the maximum of each project and of all ($11). If they have a reason, they are closed at the same time, and
 * there is no maximum.
 */
const OPEN_INCIDENTS = prepared('open_incidents')`with open as materialized (
    select o.project_id, count(*) from incident o
    where o.alert_id = $1 and o.is_open and o.record_id is not null group by o.project_id
  ),
  found as (
    select t.*, ${PROJECT_OF} as project_id, coalesce(r.plugin, $9::integer) as plugin,
      row_number() over (partition by ${PROJECT_OF} order by t.record_id) as place
    from unnest($7::bigint[], $8::double precision[]) t (record_id, value)
    left join config_record r on r.id = t.record_id
  )
  insert into incident as i (
    alert_id, alert_name, family, signal, opened_at, closed_at, reason, alert_project_id,
    project_id, record_id, plugin, value
  )
  select $1, $2, $3, $4, $5::timestamptz, case when $6::text is not null then $5::timestamptz end, $6, $10::bigint,
    f.project_id, f.record_id, f.plugin, f.value
  from found f left join open o on o.project_id = f.project_id
  where $6::text is not null or f.place + coalesce(o.count, 0) <= ${OPEN_INCIDENTS_MAX.project}
  order by f.record_id
  limit case when $6::text is null then greatest(0, $11::bigint - (select coalesce(sum(o.count), 0) from open o)) end
  on conflict do nothing
  returning ${OF_PROJECT.sql}`;

/**
 * Deletes the oldest closed incidents of projects beyond the number to keep. Incidents are opened in chunks that are no larger,
 * so they cannot pile up.
 */
const DROP_SURPLUS = prepared('drop_surplus_incidents')`delete from incident i where i.id = any (array(
    select s.id from unnest($1::bigint[]) p (id) cross join lateral (
      select o.id from incident o
      where o.project_id = p.id and not o.is_open and o.id <= (
        select n.id from incident n where n.project_id = p.id and not n.is_open
        order by n.id desc limit 1 offset ${INCIDENTS_KEPT_MAX}
      )
      order by o.id limit 1000 for update skip locked
    ) s
  ))`;

const CLOSE_INCIDENTS = prepared('close_incidents')`
  update incident i set closed_at = greatest(i.opened_at, $2::timestamptz), reason = t.reason
  from unnest($3::bigint[], $4::text[]) t (record_id, reason)
  where i.alert_id = $1 and i.record_id = t.record_id and i.closed_at is null
  returning ${OF_PROJECT.sql}`;

interface Opening {
  readonly at: Date;
  /** Null to leave the incidents open. */
  readonly closedFor: IncidentReason | null;
  readonly records: readonly { readonly recordId: number; readonly value: number | null }[];
}

/** Opens an incident for each record, and queues the events. The alert must be locked. */
export async function openIncidents(
  client: pg.ClientBase,
  alert: Alert,
  { at, closedFor, records }: Opening,
): Promise<void> {
  if (records.length === 0) return;
  const { projectId, family, id, name, signal, plugin } = alert;
  const rows = await run(client, OPEN_INCIDENTS, [
    id,
    name,
    family,
    signal,
    at.toISOString(),
    closedFor,
    records.map(({ recordId }) => recordId),
    records.map(({ value }) => value),
    plugin,
    projectId,
    projectId === SERVICE ? OPEN_INCIDENTS_MAX.service : OPEN_INCIDENTS_MAX.project,
  ]);
  const opened = incidentsIn(rows);
  const events = opened.flatMap((incident) => {
    const open = incidentOpened(incident.projectId, incident);
    return closedFor === null ? [open] : [open, incidentClosed(incident.projectId, incident)];
  });
  await queueEvents(client, events);
  await run(client, DROP_SURPLUS, [[...new Set(opened.map((incident) => incident.projectId))]]);
}

interface Closing {
  readonly at: Date;
  readonly records: readonly { readonly recordId: number; readonly reason: IncidentReason }[];
}

/** Closes the open incidents of records, and queues the events. The alert must be locked. */
export async function closeIncidents(
  client: pg.ClientBase,
  { id }: Alert,
  { at, records }: Closing,
): Promise<void> {
  if (records.length === 0) return;
  const rows = await run(client, CLOSE_INCIDENTS, [
    id,
    at.toISOString(),
    records.map(({ recordId }) => recordId),
    records.map(({ reason }) => reason),
  ]);
  const events = incidentsIn(rows).map((incident) => incidentClosed(incident.projectId, incident));
  await queueEvents(client, events);
}

const OF_OTHERS = 'i.project_id = $1 and i.alert_id = $2 and i.is_open and i.record_id is null';

const OTHERS = columns((row) => ({ others: row.number('others'), known: row.number('known') }));

const COUNT_OTHERS = prepared('count_records_without_incident')`select
    greatest(0, (select count(*) from alert_state s where s.alert_id = $2 and s.firing) - ${OPEN_OF_RECORDS('$2')}) as others,
    coalesce((select i.value from incident i where ${OF_OTHERS}), 0) as known`;

const UPDATE_OTHERS = prepared('update_incident_of_others')`
  update incident i set value = $3 where ${OF_OTHERS} returning 1`;

const OPEN_OTHERS = prepared('open_incident_of_others')`
  insert into incident as i (project_id, alert_project_id, family, alert_id, alert_name, signal, opened_at, value)
  values ($1, $1, $2, $3, $4, $5, $6, $7) returning ${OF_PROJECT.sql}`;

const CLOSE_OTHERS = prepared('close_incident_of_others')`
  update incident i set closed_at = greatest(i.opened_at, $3::timestamptz), reason = $4 where ${OF_OTHERS}
  returning ${OF_PROJECT.sql}`;

/** Counts the records beyond the maximum of incidents, now and as last stored. */
export async function othersOf(
  pool: pg.Pool,
  { id, projectId }: Alert,
): Promise<{ readonly others: number; readonly known: number }> {
  const [row = []] = await run(pool, COUNT_OTHERS, [projectId, id]);
  return OTHERS.read(row);
}

interface Others {
  readonly at: Date;
  readonly reason: IncidentReason;
  readonly others: number;
}

/** Opens, updates or closes the incident about the records beyond the maximum. The alert must be locked. */
export async function storeOthers(
  client: pg.ClientBase,
  { id, projectId, family, name, signal }: Alert,
  { at, reason, others }: Others,
): Promise<void> {
  if (others === 0) {
    const closed = incidentsIn(await run(client, CLOSE_OTHERS, [projectId, id, at.toISOString(), reason]));
    const events = closed.map((incident) => incidentClosed(projectId, incident));
    await queueEvents(client, events);
  } else if ((await run(client, UPDATE_OTHERS, [projectId, id, others])).length === 0) {
    const parameters = [projectId, family, id, name, signal, at.toISOString(), others];
    const opened = incidentsIn(await run(client, OPEN_OTHERS, parameters));
    const events = opened.map((incident) => incidentOpened(projectId, incident));
    await queueEvents(client, events);
  }
}

function incidentsIn(rows: readonly Cells[]): readonly (Incident & { readonly projectId: number })[] {
  return rows.map((row) => OF_PROJECT.read(row)).toSorted((a, b) => a.id - b.id);
}
