import {
  activityQuery,
  activityView,
  configRecord,
  job,
  jobBody,
  jobParams,
  recordParams,
} from '@plugin-config/contract';
import type { Family } from '@plugin-config/domain';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { FAMILY_NAMES } from './family-names.ts';
import { etag, location } from './headers.ts';
import { answer, operation } from './operation.ts';

/** What else there is about a record: its history, its face for browsers, its jobs. */
export function recordWorkPaths(family: Family): ZodOpenApiPathsObject {
  const one = `/api/projects/{project_id}/${family}/{id}`;
  return {
    [`${one}/activity`]: { get: activity(family) },
    [`${one}/frontend`]: { get: frontend(family) },
    [`${one}/job`]: { post: queueJob(family) },
    [`${one}/jobs/{job_id}`]: { get: retrieveJob(family) },
  };
}

function activity(family: Family): ZodOpenApiOperationObject {
  const { tag, one } = FAMILY_NAMES[family];
  return operation({
    operationId: `retrieve_${one}_activity`,
    tag,
    summary: 'Retrieve a record and its history',
    description: 'Newest first.',
    scope: 'plugin:read',
    path: recordParams,
    query: activityQuery,
    answers: { 200: answer('The record and one page of its history.', activityView) },
  });
}

function frontend(family: Family): ZodOpenApiOperationObject {
  const { tag, one } = FAMILY_NAMES[family];
  return operation({
    operationId: `retrieve_${one}_frontend`,
    tag,
    summary: 'Retrieve a record as a browser may hold it',
    description: 'Only what the schema of the plugin marks for the site; never a secret, never an error.',
    scope: 'plugin:read',
    path: recordParams,
    answers: { 200: answer('The record for a browser.', configRecord) },
  });
}

function queueJob(family: Family): ZodOpenApiOperationObject {
  const { tag, one } = FAMILY_NAMES[family];
  return operation({
    operationId: `queue_${one}_job`,
    tag,
    summary: 'Queue a job for a record',
    description:
      'The fields are the change that the job makes to the record, in the background. ' +
      'The older form, `job` alone, is a task for the handler of the plugin.',
    scope: 'plugin:write',
    path: recordParams,
    condition: 'If-Match',
    body: {
      schema: jobBody,
      required: false,
      examples: {
        'A change of the record': { enabled: true },
        'The older form': { job: { type: 'exportHistory', payload: { days: 7 }, operation: 'start' } },
      },
    },
    answers: {
      200: answer('The record as it stands; Location tells the job.', configRecord, {
        ETag: etag,
        Location: location,
      }),
    },
  });
}

function retrieveJob(family: Family): ZodOpenApiOperationObject {
  const { tag, one } = FAMILY_NAMES[family];
  return operation({
    operationId: `retrieve_${one}_job`,
    tag,
    summary: 'Retrieve a job',
    scope: 'plugin:read',
    path: jobParams,
    answers: { 200: answer('The job, and how it stands.', job) },
  });
}
