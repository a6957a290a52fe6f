import {
  ALERT_EXAMPLES,
  PREVIEW_EXAMPLES,
  alert,
  alertBody,
  alertChange,
  alertIncidentQuery,
  alertPage,
  alertPreview,
  alertPreviewBody,
  alertQuery,
  incidentPage,
  incidentQuery,
} from '../alert.ts';
import { endpointGroup } from '../endpoint.ts';
import { etag, etagOfStored, location } from '../headers.ts';

const PROJECT = '/api/projects/:project_id';
const ALL = `${PROJECT}/alerts` as const;
const ONE = `${ALL}/:alert_id` as const;

const LISTED =
  'Open incidents first, then newest first. Kept for 90 days after they close, the newest 100,000 of a project.';

/** The endpoints for alerts and their incidents. */
export const alertEndpoints = endpointGroup({
  listAlerts: {
    method: 'GET',
    path: ALL,
    client: 'alerts.list',
    summary: 'List the alerts',
    description: 'Sorted by id.',
    scope: 'plugin:read',
    query: alertQuery,
    responses: { 200: { description: 'One page of the alerts.', body: alertPage } },
  },

  createAlert: {
    method: 'POST',
    path: ALL,
    client: 'alerts.create',
    summary: 'Create an alert',
    description:
      'Evaluated once a minute from now on. A project has at most 100 alerts, each with its own name.',
    scope: 'plugin:write',
    work: 'administration',
    conflict: 'already_exists',
    body: {
      schema: alertBody,
      examples: ALERT_EXAMPLES,
    },
    responses: {
      201: {
        description: 'The new alert.',
        body: alert,
        headers: { ETag: etagOfStored, Location: location },
      },
    },
  },

  previewAlert: {
    method: 'POST',
    path: `${ALL}/preview`,
    client: 'alerts.preview',
    summary: 'Preview an alert on the last 24 hours',
    description:
      'Evaluates the rule for every 5 minutes, for at most 200 records with data. Stores nothing. Only for `delivery_rate`, `log` ' +
      'and `silence`: other signals have no history.',
    scope: 'plugin:read',
    // Evaluates 24 hours of up to 200 records.
    work: 'slow',
    body: {
      schema: alertPreviewBody,
      examples: PREVIEW_EXAMPLES,
    },
    responses: { 200: { description: 'The incidents it would have opened.', body: alertPreview } },
  },

  retrieveAlert: {
    method: 'GET',
    path: ONE,
    client: 'alerts.retrieve',
    summary: 'Retrieve an alert',
    scope: 'plugin:read',
    condition: 'If-None-Match',
    responses: { 200: { description: 'The alert.', body: alert, headers: { ETag: etag } } },
  },

  updateAlert: {
    method: 'PATCH',
    path: ONE,
    client: 'alerts.update',
    summary: 'Update an alert',
    description:
      'Changes only the fields in the body. A change to anything but the name closes its open incidents within a minute, and ' +
      'evaluation starts over.',
    scope: 'plugin:write',
    work: 'administration',
    condition: 'If-Match',
    item: 'alert',
    conflict: 'already_exists',
    body: {
      schema: alertChange,
      optional: true,
      examples: {
        Disable: { enabled: false },
        'A lower threshold': { threshold: 0.9 },
        'Only after three breaches': { for: { n: 3, m: 5 } },
      },
    },
    responses: { 200: { description: 'The changed alert.', body: alert, headers: { ETag: etagOfStored } } },
  },

  deleteAlert: {
    method: 'DELETE',
    path: ONE,
    client: 'alerts.delete',
    summary: 'Delete an alert',
    description: 'Its open incidents are closed within a minute, and can still be listed.',
    scope: 'plugin:write',
    work: 'administration',
    condition: 'If-Match',
    item: 'alert',
    responses: { 204: { description: 'The alert is deleted.' } },
  },

  listAlertIncidents: {
    method: 'GET',
    path: `${ONE}/incidents`,
    client: 'alerts.incidents',
    summary: 'List the incidents of an alert',
    description: LISTED,
    scope: 'plugin:read',
    query: alertIncidentQuery,
    responses: { 200: { description: 'One page of the incidents.', body: incidentPage } },
  },

  listIncidents: {
    method: 'GET',
    path: `${PROJECT}/incidents`,
    client: 'incidents',
    summary: 'List the incidents of a project',
    description: LISTED,
    scope: 'plugin:read',
    query: incidentQuery,
    responses: { 200: { description: 'One page of the incidents.', body: incidentPage } },
  },
});
