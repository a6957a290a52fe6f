import { incidentQuery, projectIncidentPage } from '../alert.ts';
import { endpointGroup, type Endpoint } from '../endpoint.ts';
import { projectErrorPage, projectErrorQuery } from '../reported-error.ts';
import { projectRuntimePage, projectRuntimeQuery } from '../runtime.ts';
import { alertEndpoints } from './alert-endpoints.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

const PROJECT = '/projects/:project_id';

type OfAllProjects<E extends Endpoint> = Omit<E, 'path' | 'needs' | 'unbound'> & {
  readonly path: E['path'] extends `${infer Api}${typeof PROJECT}${infer Rest}` ? `${Api}${Rest}` : never;
  readonly needs: 'key';
  readonly unbound: true;
};

/** Returns the endpoint for items that belong to no project, but hold for all of them. */
function ofAllProjects<const E extends Endpoint>(one: E, description = one.description): OfAllProjects<E> {
  const changed: object = {
    ...one,
    path: one.path.replace(PROJECT, ''),
    operationId: one.operationId.replace('_', '_service_'),
    summary: `${one.summary} (all projects)`,
    ...(description !== undefined && { description }),
    unbound: true,
  };
  return changed as OfAllProjects<E>;
}

/** The endpoints for all projects at once, for keys that are not bound to projects. */
export const serviceEndpoints = endpointGroup({
  listProjectErrors: {
    method: 'GET',
    path: '/api/errors',
    client: 'errors',
    summary: 'List the errors of all projects',
    description:
      'The current error of each record that has one, most recent first. Deleted records are left out. `count` ends at 10,000, ' +
      'and `next` has a cursor: errors that are reported meanwhile do not shift the pages.',
    scope: 'plugin:read',
    unbound: true,
    query: projectErrorQuery,
    responses: { 200: { description: 'One page of the errors.', body: projectErrorPage } },
  },

  listProjectIncidents: {
    method: 'GET',
    path: '/api/incidents',
    client: 'incidents',
    summary: 'List the incidents of all projects',
    description: 'Open incidents first, then newest first. Only the first 10,000 are counted and listed.',
    scope: 'plugin:read',
    unbound: true,
    query: incidentQuery,
    responses: { 200: { description: 'One page of the incidents.', body: projectIncidentPage } },
  },

  listProjectRuntimes: {
    method: 'GET',
    path: '/api/runtimes',
    client: 'runtimes.list',
    summary: 'List the runtimes of all projects',
    description: 'Sorted by project, family and `instance`.',
    scope: 'plugin:read',
    unbound: true,
    query: projectRuntimeQuery,
    responses: { 200: { description: 'One page of the runtimes.', body: projectRuntimePage } },
  },

  listServiceAlerts: ofAllProjects(alertEndpoints.listAlerts),
  createServiceAlert: ofAllProjects(
    alertEndpoints.createAlert,
    'Evaluated once a minute from now on, for every project, also for later ones. At most 20 alerts, each with its own name.',
  ),
  retrieveServiceAlert: ofAllProjects(alertEndpoints.retrieveAlert),
  updateServiceAlert: ofAllProjects(alertEndpoints.updateAlert),
  deleteServiceAlert: ofAllProjects(alertEndpoints.deleteAlert),

  listServiceWebhooks: ofAllProjects(webhookEndpoints.listWebhooks),
  createServiceWebhook: ofAllProjects(
    webhookEndpoints.createWebhook,
    'Gets the events of every project, also of later ones. Only this response, and that to a rotation, contains the secret. At ' +
      'most 20 webhooks, each with its own URL.',
  ),
  retrieveServiceWebhook: ofAllProjects(webhookEndpoints.retrieveWebhook),
  updateServiceWebhook: ofAllProjects(webhookEndpoints.updateWebhook),
  deleteServiceWebhook: ofAllProjects(webhookEndpoints.deleteWebhook),
  rotateServiceWebhookSecret: ofAllProjects(webhookEndpoints.rotateWebhookSecret),
  testServiceWebhook: ofAllProjects(webhookEndpoints.testWebhook),
  listServiceWebhookDeliveries: ofAllProjects(webhookEndpoints.listWebhookDeliveries),
  resendServiceWebhookDelivery: ofAllProjects(webhookEndpoints.resendWebhookDelivery),
  recoverServiceWebhookDeliveries: ofAllProjects(webhookEndpoints.recoverWebhookDeliveries),
});
