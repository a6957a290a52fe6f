import * as z from 'zod';
import { CHECK, JOB_LIMITS, JOB_STATES, RESULT_STATES } from '@plugin-config/domain/vocabulary';
import { integer, natural } from './integer.ts';
import { instanceName, jobType, operation, progress } from './job.ts';
import { json, jsonObject } from './json.ts';
import { moment } from './moment.ts';
import { externalId } from './project.ts';
import { plugin, pluginRef, slug } from './record-fields.ts';
import { responseMessage, responseText, uuid } from './response-text.ts';
import { failure, valuesOfRecord, wait, WHY_FAILED } from './runtime-parts.ts';
import { text } from './text.ts';

const PLUGINS_MAX = 100;
const WAIT_MAX = 50;
const LEASE_SECONDS = 60;
const ATTR_MAX = 1000;
const CHECK_ERRORS_MAX = 100_000;

const leaseSeconds = integer(JOB_LIMITS.leaseSeconds)
  .default(LEASE_SECONDS)
  .meta({ description: 'How long the runtime may take until it renews or ends the job.' });

const instance = instanceName.meta({ description: 'The name of the runtime, as in its reports.' });

export const claimBody = z
  .object({
    instance,
    types: z
      .array(jobType)
      .max(JOB_LIMITS.types)
      .default([])
      .meta({ description: `Only jobs of these types; \`${CHECK}\` for checks. Empty for all.` }),
    plugins: z
      .array(pluginRef)
      .max(PLUGINS_MAX)
      .default([])
      .meta({ description: 'Only jobs of these plugins. Empty for all.' }),
    limit: integer(JOB_LIMITS.claimed).default(1),
    lease_seconds: leaseSeconds,
    wait: integer({ min: 0, max: WAIT_MAX }).default(0).meta({ description: 'Seconds to wait for a job.' }),
  })
  .meta({ id: 'ClaimJobs', description: 'The jobs that the runtime can take.' });

const claimedJob = z.object({
  id: uuid,
  project_id: natural(),
  external_id: externalId.nullable(),
  record_id: natural().nullable().meta({ description: 'Null for a check.' }),
  plugin,
  plugin_slug: slug.nullable(),
  type: jobType,
  payload: json.meta({ examples: [{ from: '2026-03-01T09:30:00Z' }] }),
  operation: operation.nullable(),
  attempt: natural().meta({ description: 'Counts the claims, from 1 to 5.' }),
  lease_expires_at: moment,
  config: valuesOfRecord.meta({
    description: 'The configuration, including the values of secrets. For a check, the one to test.',
  }),
  config_version: natural().nullable().meta({ description: 'Null for a check.' }),
});

export const claimedJobs = z
  .object({ jobs: z.array(claimedJob).meta({ maxItems: JOB_LIMITS.claimed.max }) })
  .meta({
    id: 'ClaimedJobs',
    description: 'The jobs that the runtime has now.',
  });

export const renewBody = z
  .object({
    instance,
    progress: progress.nullable().default(null),
    message: text(JOB_LIMITS.message).nullable().default(null),
    lease_seconds: leaseSeconds,
  })
  .meta({ id: 'RenewJob', description: 'How far the job is.' });

export const renewedJob = z
  .object({
    cancelled: z
      .boolean()
      .meta({ description: 'Whether the runtime should stop, because somebody has cancelled the job.' }),
    lease_expires_at: moment,
  })
  .meta({
    id: 'RenewedJob',
    description: 'The new end of the lease.',
  });

export const resultBody = z
  .object({
    instance,
    state: z.enum(RESULT_STATES),
    output: json.default(null).meta({
      description: 'Any JSON of at most 64 KiB. That of a check has `ok`, `errors` and `details`.',
    }),
    error: failure.nullable().default(null).meta({ description: WHY_FAILED }),
    retry: z.boolean().default(false).meta({ description: 'Whether a job that failed is tried again.' }),
  })
  .meta({ id: 'JobResult', description: 'How the job ended.' });

export const checkBody = z
  .object({
    plugin: pluginRef,
    config: jsonObject.meta({ description: 'The configuration to test.' }),
    record: natural()
      .nullable()
      .default(null)
      .meta({ description: 'The record whose secrets stand for masked entries.' }),
  })
  .meta({ id: 'CheckConfiguration', description: 'A configuration that is not stored.' });

export const queuedCheck = z.object({ id: uuid }).meta({
  id: 'QueuedCheck',
  description: 'The check, which has begun.',
  examples: [{ id: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f' }],
});

export const check = z
  .object({
    id: uuid,
    state: z.enum(JOB_STATES),
    ok: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether the configuration works; null until it is known.' }),
    errors: z
      .array(
        z.object({
          attr: responseText(ATTR_MAX).nullable(),
          detail: responseMessage.meta({ examples: ['The server rejects the token.'] }),
        }),
      )
      .meta({
        maxItems: CHECK_ERRORS_MAX,
        description: 'What is wrong, by the key of the entry if there is one.',
      }),
    details: json.meta({ description: 'What else the runtime says.' }),
    error: responseMessage.nullable().meta({ description: 'Why there is no answer.' }),
    created_at: moment,
    finished_at: moment.nullable(),
  })
  .meta({
    id: 'Check',
    description: 'A test of a configuration. Kept for an hour.',
  });

export const checkQuery = z.object({
  wait: wait.meta({ description: 'Seconds to wait for the end of the check.' }),
});
