import { incidentQuery, projectIncidentPage } from '../alert.ts';
import { endpoint } from '../endpoint.ts';
import { projectErrorPage, projectErrorQuery } from '../reported-error.ts';
import { projectRuntimePage, projectRuntimeQuery } from '../runtime.ts';

/** The endpoints for all projects at once, for keys that are not bound to projects. */
export const serviceEndpoints = {
  listProjectErrors: endpoint({
    method: 'GET',
    path: '/api/errors',
    operationId: 'list_project_errors',
    client: 'errors',
    summary: 'List the errors of all projects',
    description:
      'The current error of each record that has one, most recent first. Deleted records are left out. `count` ends at 10,000, ' +
      'and `next` has a cursor: errors that are reported meanwhile do not shift the pages.',
    scope: 'plugin:read',
    unbound: true,
    needs: 'key',
    work: 'page',
    query: projectErrorQuery,
    responses: { 200: { description: 'One page of the errors.', body: projectErrorPage } },
  }),

  listProjectIncidents: endpoint({
    method: 'GET',
    path: '/api/incidents',
    operationId: 'list_project_incidents',
    client: 'incidents',
    summary: 'List the incidents of all projects',
    description: 'Open incidents first, then newest first. Only the first 10,000 are counted and listed.',
    scope: 'plugin:read',
    unbound: true,
    needs: 'key',
    work: 'page',
    query: incidentQuery,
    responses: { 200: { description: 'One page of the incidents.', body: projectIncidentPage } },
  }),

  listProjectRuntimes: endpoint({
    method: 'GET',
    path: '/api/runtimes',
    operationId: 'list_project_runtimes',
    client: 'runtimes',
    summary: 'List the runtimes of all projects',
    description: 'Sorted by project, family and `instance`.',
    scope: 'plugin:read',
    unbound: true,
    needs: 'key',
    work: 'page',
    query: projectRuntimeQuery,
    responses: { 200: { description: 'One page of the runtimes.', body: projectRuntimePage } },
  }),
};
