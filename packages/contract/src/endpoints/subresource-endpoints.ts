import { activityQuery, activityView } from '../activity.ts';
import { configRecord } from '../config-record.ts';
import { deliveryQuery, deliverySeries } from '../delivery.ts';
import { endpoint } from '../endpoint.ts';
import { etagOfStored, location } from '../headers.ts';
import { job, jobBody, jobListQuery, jobPage } from '../job.ts';
import { logCounts, logCountsQuery } from '../log-counts.ts';
import { logEntry, logEntryPage } from '../log-entry.ts';
import { logEntryQuery, logListQuery } from '../log-list-query.ts';
import { entryParams, jobParams, logParams, projectParams, recordParams } from '../path-params.ts';

const ALL = '/api/projects/:project_id/:family';
const ONE = `${ALL}/:id` as const;

/** The subresources of a record: its history, its view for browsers, its jobs, its deliveries and its log. */
export const subresourceEndpoints = {
  retrieveActivity: endpoint({
    method: 'GET',
    path: `${ONE}/activity`,
    operationId: 'retrieve_{one}_activity',
    summary: 'Retrieve a record and its history',
    description: 'Newest first.',
    scope: 'plugin:read',
    needs: 'record',
    params: recordParams,
    query: activityQuery,
    answers: { 200: { description: 'The record and one page of its history.', body: activityView } },
  }),

  retrieveFrontend: endpoint({
    method: 'GET',
    path: `${ONE}/frontend`,
    operationId: 'retrieve_{one}_frontend',
    summary: 'Retrieve a record as a browser may hold it',
    description:
      "Shows only the configuration that the plugin's schema marks with `site`; never a secret, never an error.",
    scope: 'plugin:read',
    needs: 'record',
    params: recordParams,
    answers: { 200: { description: 'The record for a browser.', body: configRecord } },
  }),

  queueJob: endpoint({
    method: 'POST',
    path: `${ONE}/job`,
    operationId: 'queue_{one}_job',
    summary: 'Queue a job for a record',
    description:
      'The fields are the change that the job makes to the record, in the background. ' +
      "The older form, `job` alone, is a task for the plugin's own handler.",
    scope: 'plugin:write',
    needs: 'record',
    params: recordParams,
    condition: 'If-Match',
    idempotent: true,
    conflict: 'idempotency_in_flight',
    body: {
      schema: jobBody,
      required: false,
      examples: {
        'A change of the record': { enabled: true },
        'The older form': { job: { type: 'exportHistory', payload: { days: 7 }, operation: 'start' } },
      },
    },
    answers: {
      200: {
        description: 'The current record; `Location` is the address of the job.',
        body: configRecord,
        headers: { ETag: etagOfStored, Location: location },
      },
    },
  }),

  listJobs: endpoint({
    method: 'GET',
    path: `${ONE}/jobs`,
    operationId: 'list_{one}_jobs',
    summary: 'List the jobs of a record',
    description: 'Newest first.',
    scope: 'plugin:read',
    needs: 'record',
    params: recordParams,
    query: jobListQuery,
    answers: { 200: { description: 'One page of the jobs.', body: jobPage } },
  }),

  retrieveJob: endpoint({
    method: 'GET',
    path: `${ONE}/jobs/:job_id`,
    operationId: 'retrieve_{one}_job',
    summary: 'Retrieve a job',
    scope: 'plugin:read',
    needs: 'record',
    params: jobParams,
    answers: { 200: { description: 'The job and its state.', body: job } },
  }),

  cancelJob: endpoint({
    method: 'DELETE',
    path: `${ONE}/jobs/:job_id`,
    operationId: 'cancel_{one}_job',
    summary: 'Cancel a job',
    description:
      'The job must still be queued; it is kept in the state `cancelled`. Cancelling it again changes nothing. ' +
      'A job that runs or has ended stays as it is, and the answer is 409.',
    scope: 'plugin:write',
    needs: 'record',
    params: jobParams,
    conflict: 'job_not_queued',
    answers: { 204: { description: 'The job is cancelled, or already was.' } },
  }),

  retrieveDeliveries: endpoint({
    method: 'GET',
    path: `${ONE}/deliveries`,
    operationId: 'retrieve_{one}_deliveries',
    summary: 'Retrieve the deliveries of a record over time',
    description:
      'The sums of the reports in buckets of a minute, an hour or a day, at most 1,500 of them, oldest first. ' +
      'A bucket without reports is absent. A report that comes late changes the bucket of its `timestamp`.',
    scope: 'plugin:read',
    needs: 'record',
    params: recordParams,
    query: deliveryQuery,
    answers: { 200: { description: 'The buckets with reports.', body: deliverySeries } },
  }),

  listLogs: endpoint({
    method: 'GET',
    path: `${ALL}/:plugin_config_id/logs`,
    needsLog: true,
    operationId: 'list_{one}_logs',
    summary: 'List the log of a plugin config',
    description:
      'Newest first. `search` and `instance_id` may have to scan the log. If that takes too long, the answer is 400; ' +
      'narrow the request down with `after` and `before`.',
    scope: 'plugin:read',
    needs: 'record',
    params: logParams,
    query: logListQuery,
    answers: { 200: { description: 'One page of the log.', body: logEntryPage } },
  }),

  countLogs: endpoint({
    method: 'GET',
    path: `${ALL}/:plugin_config_id/logs/counts`,
    needsLog: true,
    operationId: 'count_{one}_logs',
    summary: 'Count the log of a plugin config over time',
    description:
      'The entries of each hour or day, at most 1,500 of them, oldest first. A bucket without entries is absent.',
    scope: 'plugin:read',
    needs: 'record',
    params: logParams,
    query: logCountsQuery,
    answers: { 200: { description: 'The buckets with entries.', body: logCounts } },
  }),

  countProjectLogs: endpoint({
    method: 'GET',
    path: `${ALL}/logs/counts`,
    needsLog: true,
    operationId: 'count_{many}_logs',
    summary: 'Count the logs of a project over time',
    description: 'The entries of all records, deleted ones included, as for one log. May be a minute behind.',
    scope: 'plugin:read',
    needs: 'family',
    params: projectParams,
    query: logCountsQuery,
    answers: { 200: { description: 'The buckets with entries.', body: logCounts } },
  }),

  retrieveLogEntry: endpoint({
    method: 'GET',
    path: `${ALL}/:plugin_config_id/logs/:entry_id`,
    needsLog: true,
    operationId: 'retrieve_{one}_log_entry',
    summary: 'Retrieve an entry of the log of a plugin config',
    description:
      'Of several entries with this id, the newest. Without its `timestamp`, finding the entry reads the keys of the log. If that takes ' +
      'too long, the answer is 400.',
    scope: 'plugin:read',
    needs: 'record',
    params: entryParams,
    query: logEntryQuery,
    answers: { 200: { description: 'The entry.', body: logEntry } },
  }),
};
