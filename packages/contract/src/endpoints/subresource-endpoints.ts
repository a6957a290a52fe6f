import { FAILED_KEPT_MAX } from '@plugin-config/domain/vocabulary';
import { activityView } from '../activity.ts';
import { configRecord } from '../config-record.ts';
import {
  deliveryQuery,
  deliverySeries,
  failedDeliveryPage,
  failedDeliveryQuery,
  recentDeliveries,
  recentDeliveriesQuery,
} from '../delivery.ts';
import { endpointGroup } from '../endpoint.ts';
import { etagOfStored, location } from '../headers.ts';
import { jobBody, jobListQuery, jobPage, jobQuery, jobWithOutput } from '../job.ts';
import { logCounts, logCountsQuery } from '../log-counts.ts';
import { logEntry, logEntryPage } from '../log-entry.ts';
import { logEntryQuery, logListQuery } from '../log-list-query.ts';
import { recordOverview } from '../overview.ts';
import { pageQuery } from '../page.ts';
import { check, checkBody, checkQuery, queuedCheck } from '../plugin-job.ts';

const ALL = '/api/projects/:project_id/:family';
const ONE = `${ALL}/:id` as const;

/** The endpoints for the history, summary, browser view, jobs, deliveries and log of a record. */
export const subresourceEndpoints = endpointGroup({
  retrieveActivity: {
    method: 'GET',
    path: `${ONE}/activity`,
    client: 'activity',
    summary: 'Retrieve a record and its history',
    description: 'Newest first.',
    scope: 'plugin:read',
    query: pageQuery,
    responses: { 200: { description: 'The record and one page of its history.', body: activityView } },
  },

  retrieveRecordOverview: {
    method: 'GET',
    path: `${ONE}/overview`,
    operationId: 'retrieve_{one}_overview',
    client: 'overview',
    summary: 'Retrieve a summary of a record',
    description: 'Its deliveries, its open incidents, the runtimes that cannot run it, and its last changes.',
    scope: 'plugin:read',
    responses: { 200: { description: 'The summary.', body: recordOverview } },
  },

  retrieveFrontend: {
    method: 'GET',
    path: `${ONE}/frontend`,
    client: 'frontend',
    summary: 'Retrieve a record for use in a browser',
    description:
      "Includes only configuration fields that the plugin's schema marks with `site`. Never includes secrets or errors.",
    scope: 'plugin:read',
    orScope: 'config:write',
    responses: { 200: { description: 'The record for use in a browser.', body: configRecord } },
  },

  queueJob: {
    method: 'POST',
    path: `${ONE}/job`,
    summary: 'Queue a job for a record',
    description:
      'The job changes the given fields of the record in the background. With `job`, a runtime of the plugin does it: the type must be one that the plugin is registered with, and the payload must match its schema. With the scope `config:write`, only jobs of runtimes can be queued.',
    scope: 'plugin:write',
    orScope: 'config:write',
    // Queuing and cancelling a job waits for the lock of the family.
    work: 'slow',
    condition: 'If-Match',
    idempotent: true,
    conflict: 'idempotency_in_flight',
    body: {
      schema: jobBody,
      optional: true,
      examples: {
        'Change the record': { enabled: true },
        'A task for the plugin': { job: { type: 'replay', payload: { from: '2026-03-01T09:30:00Z' } } },
      },
    },
    responses: {
      200: {
        description: 'The current record; `Location` is the URL of the job.',
        body: configRecord,
        headers: { ETag: etagOfStored, Location: location },
      },
    },
  },

  listJobs: {
    method: 'GET',
    path: `${ONE}/jobs`,
    client: 'jobs',
    summary: 'List the jobs of a record',
    description: 'Newest first.',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: jobListQuery,
    responses: { 200: { description: 'One page of the jobs.', body: jobPage } },
  },

  retrieveJob: {
    method: 'GET',
    path: `${ONE}/jobs/:job_id`,
    client: 'job',
    summary: 'Retrieve a job',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: jobQuery,
    responses: { 200: { description: 'The job and its state.', body: jobWithOutput } },
  },

  cancelJob: {
    method: 'DELETE',
    path: `${ONE}/jobs/:job_id`,
    summary: 'Cancel a job',
    description:
      'A queued job is kept in the state `cancelled`, and cancelling it again has no effect. A runtime that has the job is asked to stop. ' +
      'For a change that is running, and for a job that has ended, the response is 409. With the scope `config:write`, only jobs of runtimes can be cancelled.',
    scope: 'plugin:write',
    orScope: 'config:write',
    work: 'slow',
    conflict: 'job_not_queued',
    responses: {
      202: { description: 'The runtime is asked to stop.' },
      204: { description: 'The job is cancelled, or was already.' },
    },
  },

  queueCheck: {
    method: 'POST',
    path: `${ALL}/checks`,
    client: 'check',
    summary: 'Test a configuration before it is stored',
    description:
      'A runtime of the plugin tests the configuration, if the plugin is registered with `checks`. The schema of the plugin is checked at once.',
    scope: 'plugin:write',
    orScope: 'config:write',
    work: 'configuration',
    body: {
      schema: checkBody,
      examples: {
        'A new token': { plugin: 'slug:geoip', config: { host: 'example.com', token: 'hunter3' } },
      },
    },
    responses: {
      202: { description: 'The check, which has begun.', body: queuedCheck, headers: { Location: location } },
    },
  },

  retrieveCheck: {
    method: 'GET',
    path: `${ALL}/checks/:check_id`,
    client: 'checkResult',
    summary: 'Retrieve the result of a check',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: checkQuery,
    responses: { 200: { description: 'The check and its state.', body: check } },
  },

  retrieveDeliveries: {
    method: 'GET',
    path: `${ONE}/deliveries`,
    client: 'deliveries',
    summary: 'Retrieve the deliveries of a record over time',
    description:
      'The totals of the reports per five minutes, hour or day, oldest first, in at most 1,500 buckets. ' +
      'Buckets without reports are left out. A late report changes the bucket of its `timestamp`.',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: deliveryQuery,
    responses: { 200: { description: 'The buckets with reports.', body: deliverySeries } },
  },

  listFailedDeliveries: {
    method: 'GET',
    path: `${ONE}/deliveries/failed`,
    client: 'failedDeliveries',
    summary: 'List the failed deliveries of a record',
    description:
      `Latest first. The last ${FAILED_KEPT_MAX.perRecord.toLocaleString('en')} of a record and the last ` +
      `${FAILED_KEPT_MAX.perProject.toLocaleString('en')} of a project are kept, as long as deliveries.`,
    scope: 'plugin:read',
    orScope: 'config:write',
    query: failedDeliveryQuery,
    responses: { 200: { description: 'One page of the failed deliveries.', body: failedDeliveryPage } },
  },

  retrieveRecentDeliveries: {
    method: 'GET',
    path: `${ALL}/deliveries`,
    operationId: 'retrieve_{many}_deliveries',
    client: 'recentDeliveries',
    summary: 'Retrieve the deliveries of several records in the last 24 hours',
    description:
      'The totals of the reports per hour. Left out are records without reports in these hours, and ids that are not in ' +
      'the family.',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: recentDeliveriesQuery,
    responses: { 200: { description: 'The records with reports.', body: recentDeliveries } },
  },

  listLogs: {
    method: 'GET',
    path: `${ALL}/:plugin_config_id/logs`,
    needsLog: true,
    client: 'logs',
    summary: 'List the log of a plugin config',
    description:
      'Newest first. `search` and `instance_id` may have to scan the log. A scan that takes too long is aborted with 400; ' +
      'narrow it down with `after` and `before`.',
    scope: 'plugin:read',
    orScope: 'config:write',
    work: 'search',
    query: logListQuery,
    responses: { 200: { description: 'One page of the log.', body: logEntryPage } },
  },

  countLogs: {
    method: 'GET',
    path: `${ALL}/:plugin_config_id/logs/counts`,
    needsLog: true,
    client: 'logCounts',
    summary: 'Count the log entries of a plugin config over time',
    description:
      'The number of entries per hour or day, oldest first, in at most 1,500 buckets. Buckets without entries are left out.',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: logCountsQuery,
    responses: { 200: { description: 'The buckets with entries.', body: logCounts } },
  },

  countProjectLogs: {
    method: 'GET',
    path: `${ALL}/logs/counts`,
    needsLog: true,
    operationId: 'count_{many}_logs',
    client: 'projectLogCounts',
    summary: 'Count the log entries of a project over time',
    description:
      'Like the counts of one log, for all records, including deleted ones. Can be a minute out of date.',
    scope: 'plugin:read',
    orScope: 'config:write',
    query: logCountsQuery,
    responses: { 200: { description: 'The buckets with entries.', body: logCounts } },
  },

  retrieveLogEntry: {
    method: 'GET',
    path: `${ALL}/:plugin_config_id/logs/:entry_id`,
    needsLog: true,
    client: 'logEntry',
    summary: 'Retrieve a log entry of a plugin config',
    description:
      'If several entries have this id, returns the newest. Without its `timestamp`, finding the entry scans the keys of the ' +
      'log; a scan that takes too long is aborted with 400.',
    scope: 'plugin:read',
    orScope: 'config:write',
    work: 'slow',
    query: logEntryQuery,
    responses: { 200: { description: 'The entry.', body: logEntry } },
  },
});
