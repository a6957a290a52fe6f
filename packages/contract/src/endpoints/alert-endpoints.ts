import {
  alert,
  alertBody,
  alertChange,
  alertPage,
  alertPreview,
  alertPreviewBody,
  incidentPage,
  incidentQuery,
} from '../alert.ts';
import { endpoint } from '../endpoint.ts';
import { etag, etagOfStored, location } from '../headers.ts';
import { pageQuery } from '../page.ts';

const PROJECT = '/api/projects/:project_id';
const ALL = `${PROJECT}/alerts` as const;
const ONE = `${ALL}/:alert_id` as const;

const RULE = {
  family: 'plugin_configs',
  signal: 'delivery_rate',
  threshold: 0.95,
  window_minutes: 15,
  min_samples: 100,
  for: { n: 2, m: 3 },
};

const LISTED =
  'Open incidents first, then newest first. Kept for 90 days after they close, the newest 100,000 of a project.';

/** The endpoints for alerts and their incidents. */
export const alertEndpoints = {
  listAlerts: endpoint({
    method: 'GET',
    path: ALL,
    operationId: 'list_alerts',
    summary: 'List the alerts',
    description: 'Sorted by id.',
    scope: 'plugin:read',
    needs: 'project',
    query: pageQuery,
    responses: { 200: { description: 'One page of the alerts.', body: alertPage } },
  }),

  createAlert: endpoint({
    method: 'POST',
    path: ALL,
    operationId: 'create_alert',
    summary: 'Create an alert',
    description: 'Evaluated once a minute from now on. A project has at most 100 alerts.',
    scope: 'plugin:write',
    needs: 'project',
    idempotent: true,
    conflict: 'idempotency_in_flight',
    body: {
      schema: alertBody,
      examples: {
        'The delivery rate of each record': { name: 'Deliveries', ...RULE },
        'Disable a record that logs errors': {
          name: 'GeoIP logs errors',
          family: 'plugin_configs',
          signal: 'log',
          threshold: 50,
          window_minutes: 60,
          action: 'disable',
        },
      },
    },
    responses: {
      201: {
        description: 'The new alert.',
        body: alert,
        headers: { ETag: etagOfStored, Location: location },
      },
    },
  }),

  previewAlert: endpoint({
    method: 'POST',
    path: `${ALL}/preview`,
    operationId: 'preview_alert',
    summary: 'Preview an alert on the last 24 hours',
    description:
      'Evaluates the rule for every 5 minutes, for at most 200 records with data. Stores nothing. Only for `delivery_rate`, `log` ' +
      'and `silence`: other signals have no history.',
    scope: 'plugin:read',
    needs: 'project',
    body: {
      schema: alertPreviewBody,
      examples: { 'The delivery rate of each record': RULE },
    },
    responses: { 200: { description: 'The incidents it would have opened.', body: alertPreview } },
  }),

  retrieveAlert: endpoint({
    method: 'GET',
    path: ONE,
    operationId: 'retrieve_alert',
    summary: 'Retrieve an alert',
    scope: 'plugin:read',
    needs: 'project',
    condition: 'If-None-Match',
    responses: { 200: { description: 'The alert.', body: alert, headers: { ETag: etag } } },
  }),

  updateAlert: endpoint({
    method: 'PATCH',
    path: ONE,
    operationId: 'update_alert',
    summary: 'Update an alert',
    description:
      'Changes only the fields in the body. A change to anything but the name closes its open incidents within a minute, and ' +
      'evaluation starts over.',
    scope: 'plugin:write',
    needs: 'project',
    condition: 'If-Match',
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
  }),

  deleteAlert: endpoint({
    method: 'DELETE',
    path: ONE,
    operationId: 'delete_alert',
    summary: 'Delete an alert',
    description: 'Its open incidents are closed within a minute, and can still be listed.',
    scope: 'plugin:write',
    needs: 'project',
    condition: 'If-Match',
    responses: { 204: { description: 'The alert is deleted.' } },
  }),

  listAlertIncidents: endpoint({
    method: 'GET',
    path: `${ONE}/incidents`,
    operationId: 'list_alert_incidents',
    summary: 'List the incidents of an alert',
    description: LISTED,
    scope: 'plugin:read',
    needs: 'project',
    query: incidentQuery,
    responses: { 200: { description: 'One page of the incidents.', body: incidentPage } },
  }),

  listIncidents: endpoint({
    method: 'GET',
    path: `${PROJECT}/incidents`,
    operationId: 'list_incidents',
    summary: 'List the incidents of a project',
    description: LISTED,
    scope: 'plugin:read',
    needs: 'project',
    query: incidentQuery,
    responses: { 200: { description: 'One page of the incidents.', body: incidentPage } },
  }),
};
