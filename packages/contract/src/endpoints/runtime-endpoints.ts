import { endpointGroup } from '../endpoint.ts';
import { etagOfResponse } from '../headers.ts';
import { pageQuery } from '../page.ts';
import { claimBody, claimedJobs, renewBody, renewedJob, resultBody } from '../plugin-job.ts';
import {
  feedQuery,
  feedReadBody,
  feedReadQuery,
  hostReportBody,
  runtimeFeed,
  runtimeProjects,
  writeBackBody,
  writtenBack,
} from '../project-feed.ts';
import { runtimeConfiguration, runtimePage, runtimeQuery, runtimeReportBody } from '../runtime.ts';

const ALL = '/api/projects/:project_id/:family';
const FEED = '/api/runtime/:family';

/** The endpoints for plugin runtimes and for monitoring them. */
export const runtimeEndpoints = endpointGroup({
  retrieveRuntime: {
    method: 'GET',
    path: `${ALL}/runtime`,
    client: 'runtime',
    summary: 'Retrieve the configuration of a runtime',
    description:
      'The enabled records in order, with the values of their secrets. With `wait`, and the `ETag` of the previous response in ' +
      '`If-None-Match`, the request waits for a new version.',
    scope: 'plugin_runtime',
    query: runtimeQuery,
    condition: 'If-None-Match',
    responses: {
      200: { description: 'The records.', body: runtimeConfiguration, headers: { ETag: etagOfResponse } },
    },
  },

  reportRuntime: {
    method: 'PUT',
    path: `${ALL}/runtimes/:instance`,
    summary: 'Report the state of a runtime',
    description:
      'Send a report after each attempt to apply a version, and once a minute. An identical report within 20 seconds is not ' +
      'stored. A family has at most 1,000 runtimes; a runtime that has not reported for 24 hours is removed.',
    scope: 'plugin_runtime',
    work: 'request',
    body: {
      schema: runtimeReportBody,
      examples: {
        Applied: { version: 'Zb0l3lzJcN2Zb3m6Uuyo6w', status: 'applied', labels: { region: 'eu' } },
        'One record failed': {
          version: 'Zb0l3lzJcN2Zb3m6Uuyo6w',
          status: 'failed',
          error: '1 of 3 plugins did not start.',
          failed: [{ id: 42, error: 'The token was rejected.' }],
        },
      },
    },
    responses: { 204: { description: 'The report is stored.' } },
  },

  listRuntimes: {
    method: 'GET',
    path: `${ALL}/runtimes`,
    client: 'runtimes',
    summary: 'List the runtimes',
    description: 'Sorted by `instance`.',
    scope: 'plugin:read',
    query: pageQuery,
    responses: { 200: { description: 'One page of the runtimes.', body: runtimePage } },
  },

  forgetRuntime: {
    method: 'DELETE',
    path: `${ALL}/runtimes/:instance`,
    summary: 'Forget a runtime',
    description: 'If the runtime is still running, its next report adds it again.',
    scope: 'plugin:write',
    work: 'request',
    responses: { 204: { description: 'The runtime is forgotten.' } },
  },

  readFeed: {
    method: 'GET',
    path: FEED,
    client: 'feed.retrieve',
    summary: 'Read the configurations of all projects, and their changes',
    description:
      'Without `after`, the response has every project of the key with an enabled record, in pages. With the `cursor` of the previous ' +
      'response as `after`, it has the projects that may have changed since. With `wait`, it waits for a change.',
    scope: 'plugin_runtime',
    query: feedQuery,
    responses: { 200: { description: 'One page of projects.', body: runtimeFeed } },
  },

  readFeedProjects: {
    method: 'POST',
    path: `${FEED}/read`,
    client: 'feed.read',
    summary: 'Read the configurations of some projects',
    description: 'For a runtime that loads projects when it needs them. Changes nothing.',
    scope: 'plugin_runtime',
    work: 'page',
    query: feedReadQuery,
    body: { schema: feedReadBody, examples: { 'Two projects': { projects: [4711, 'ext:globex'] } } },
    responses: { 200: { description: 'The projects.', body: runtimeProjects } },
  },

  writeBack: {
    method: 'PATCH',
    path: `${FEED}/records/:id/config`,
    operationId: 'write_back_{one}',
    client: 'feed.writeBack',
    summary: 'Write secrets back',
    description:
      'Stores secrets that the runtime has changed, such as a refresh token that can be used once. The record may be disabled.',
    scope: 'plugin_runtime',
    work: 'configuration',
    basis: 'configuration',
    query: feedReadQuery,
    body: {
      schema: writeBackBody,
      examples: { 'A refresh token': { config_version: 1, set: { refresh_token: 'hunter3' } } },
    },
    responses: { 200: { description: 'The values are stored.', body: writtenBack } },
  },

  claimJobs: {
    method: 'POST',
    path: `${FEED}/jobs/claim`,
    client: 'feed.claimJobs',
    summary: 'Claim jobs of plugins',
    description:
      'The jobs of a record are handed out one at a time, in order; projects take turns. A job whose lease ends goes back into the queue.',
    scope: 'plugin_runtime',
    work: 'request',
    body: {
      schema: claimBody,
      examples: {
        'Replays of one plugin': {
          instance: 'shop-eu-1',
          types: ['replay'],
          plugins: ['slug:geoip'],
        },
      },
    },
    responses: { 200: { description: 'The jobs, or none.', body: claimedJobs } },
  },

  renewJob: {
    method: 'PATCH',
    path: `${FEED}/jobs/:job_id`,
    client: 'feed.renewJob',
    summary: 'Renew the lease of a job',
    description: 'Tells how far the job is, and whether it was cancelled.',
    scope: 'plugin_runtime',
    work: 'request',
    conflict: 'lease_lost',
    body: { schema: renewBody, examples: { 'Half of it': { instance: 'shop-eu-1', progress: 0.5 } } },
    responses: { 200: { description: 'The lease is renewed.', body: renewedJob } },
  },

  endJob: {
    method: 'PUT',
    path: `${FEED}/jobs/:job_id/result`,
    client: 'feed.endJob',
    summary: 'Send the result of a job',
    description:
      'The result counts even if the lease has ended, unless another runtime has claimed the job. The same result again has no effect.',
    scope: 'plugin_runtime',
    work: 'slow',
    conflict: 'lease_lost',
    body: {
      schema: resultBody,
      examples: {
        'It is done': { instance: 'shop-eu-1', state: 'succeeded', output: { sent: 120 } },
        'Try again': { instance: 'shop-eu-1', state: 'failed', error: 'The server is away.', retry: true },
      },
    },
    responses: { 204: { description: 'The result is stored.' } },
  },

  reportHost: {
    method: 'PUT',
    path: `${FEED}/instances/:instance`,
    client: 'feed.report',
    summary: 'Report the state of a runtime of several projects',
    description:
      'Send a report after each page, and once a minute. The runtime appears in the lists of the projects that it serves. An account ' +
      'has at most 1,000 of them; one that has not reported for 24 hours is removed.',
    scope: 'plugin_runtime',
    work: 'request',
    body: {
      schema: hostReportBody,
      examples: {
        Applied: {
          cursor: '5f3a9c1e.Zb0l3lzJcN2Zb3m6.0.12-1793446200000000-ck-0',
          status: 'applied',
          labels: { region: 'eu' },
        },
        'One record failed': {
          cursor: '5f3a9c1e.Zb0l3lzJcN2Zb3m6.0.12-1793446200000000-ck-0',
          status: 'failed',
          failed: [{ project_id: 4711, id: 42, error: 'The token was rejected.' }],
        },
      },
    },
    responses: { 204: { description: 'The report is stored.' } },
  },
});
