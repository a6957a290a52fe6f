import { endpointGroup } from '../endpoint.ts';
import { pageQuery } from '../page.ts';
import { deadLetterPage } from '../dead-letter.ts';
import { overview } from '../overview.ts';
import { project, projectListQuery, projectPage } from '../project.ts';
import { usage } from '../usage.ts';

export const projectEndpoints = endpointGroup({
  listProjects: {
    method: 'GET',
    path: '/api/projects',
    client: 'projects',
    summary: 'List the projects that the key can access',
    scope: null,
    query: projectListQuery,
    responses: { 200: { description: 'One page of the projects.', body: projectPage } },
  },

  retrieveProject: {
    method: 'GET',
    path: '/api/projects/:project_id',
    client: 'retrieve',
    summary: 'Retrieve a project',
    scope: null,
    responses: { 200: { description: 'The project.', body: project } },
  },

  retrieveUsage: {
    method: 'GET',
    path: '/api/projects/:project_id/usage',
    client: 'usage',
    summary: 'Retrieve the log usage and quota of a project',
    scope: 'plugin:read',
    responses: {
      200: { description: 'The quota, and the usage of today and the 30 days before.', body: usage },
    },
  },

  listDeadLetters: {
    method: 'GET',
    path: '/api/projects/:project_id/dead_letters',
    client: 'deadLetters',
    summary: 'List the messages of a project that could not be stored',
    scope: 'plugin:read',
    query: pageQuery,
    responses: { 200: { description: 'One page of the dead letters, newest first.', body: deadLetterPage } },
  },

  retrieveOverview: {
    method: 'GET',
    path: '/api/projects/:project_id/overview',
    client: 'overview',
    summary: 'Retrieve a summary of a project',
    description: 'Its records, runtimes, deliveries, errors, open incidents and last changes.',
    scope: 'plugin:read',
    // Adds up the deliveries of all records, within a time limit.
    work: 'slow',
    responses: { 200: { description: 'The summary.', body: overview } },
  },
});
