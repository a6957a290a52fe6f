import type { JsonObject } from '../kernel/json.ts';
import { SERVICE } from '../project/project.ts';
import type { QueuedEvent } from '../webhook/queued-event.ts';
import type { Incident } from './incident.ts';

export function incidentOpened(projectId: number, incident: Incident): QueuedEvent {
  const data = dataOf(projectId, { ...incident, closedAt: null, reason: null });
  const { id, openedAt: at, recordId } = incident;
  return { projectId, key: `incident ${id} opened`, type: 'incident.opened', at, data, recordId };
}

export function incidentClosed(projectId: number, incident: Incident): QueuedEvent {
  const at = incident.closedAt ?? incident.openedAt;
  return {
    projectId,
    key: `incident ${incident.id} closed`,
    type: 'incident.closed',
    at,
    data: dataOf(projectId, incident),
    recordId: incident.recordId,
  };
}

/** Returns an incident as the API shows it, with its project. */
function dataOf(projectId: number, incident: Incident): JsonObject {
  const { id, family, recordId, signal, value, openedAt, closedAt, reason } = incident;
  return {
    project_id: projectId === SERVICE ? null : projectId,
    id,
    alert_id: incident.alertId,
    alert_project_id: incident.alertProjectId,
    alert_name: incident.alertName,
    family,
    record_id: recordId,
    signal,
    value,
    opened_at: openedAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
    reason,
  };
}
