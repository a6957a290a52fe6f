import * as z from 'zod';
import { JOB_LIMITS, JOB_STATES, JOB_TYPE } from '@plugin-config/domain/vocabulary';
import { natural, number } from './integer.ts';
import { json } from './json.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { RAW_TEXT, orNull, parameter } from './parameter.ts';
import { config } from './record-bodies.ts';
import { INSTANCE_NAME } from './path-params.ts';
import { isEmptyChange, plugin, writableFields } from './record-fields.ts';
import { responseMessage, responseText, uuid } from './response-text.ts';
import { wait } from './runtime-parts.ts';
import { filledText, text } from './text.ts';

const WORD_MAX = 200;

export const jobType = z
  .string()
  .regex(new RegExp(`^${JOB_TYPE}$`))
  .meta({ maxLength: 63, examples: ['replay'] });

/** What a task says besides its payload. */
export const operation = text(WORD_MAX);

const task = z.object({
  type: filledText(WORD_MAX).meta({ description: 'One of the types that the plugin is registered with.' }),
  payload: json.default(null).meta({ description: 'What the runtime gets: any JSON of at most 64 KiB.' }),
  operation: operation
    .nullish()
    .transform((value) => value ?? null)
    .meta({ description: 'Handed to the runtime as it is.' }),
});

/** A change to the record, or a task for the plugin. */
export const jobBody = z
  .object({
    ...writableFields,
    config: config.meta({
      description: 'An object is rejected: send it to `…/config`. Text, as in responses, is ignored.',
    }),
    job: task.nullish().meta({ description: 'A task for the plugin. Then no other field may be sent.' }),
  })
  .transform(({ job, config: values, ...change }, ctx) => {
    if (values !== undefined)
      ctx.addIssue({ code: 'custom', path: ['config'], message: 'A job does not change the configuration.' });
    if (job != null && !isEmptyChange(change)) {
      const message = 'A task for the plugin and a change to the record are separate jobs.';
      ctx.addIssue({ code: 'custom', path: ['job'], message });
    }
    return { job: job ?? null, change };
  })
  .meta({ id: 'QueueJob', description: 'The fields that the job changes, or a task for the plugin.' });

export const instanceName = z
  .string()
  .regex(INSTANCE_NAME)
  .meta({ maxLength: 128, examples: ['shop-eu-1'] });

export const progress = number({ min: 0, max: 1 }).meta({
  description: 'How much of it is done, from 0 to 1.',
});

export const job = z
  .object({
    id: uuid,
    state: z.enum(JOB_STATES),
    attempts: natural(),
    error: responseMessage.nullable().meta({ description: 'Why the last attempt failed.' }),
    created_at: moment,
    started_at: moment.nullable(),
    finished_at: moment.nullable(),
    plugin: plugin
      .nullable()
      .meta({ description: 'The plugin that does it; null for a change to the record.' }),
    type: jobType
      .nullable()
      .meta({ description: 'What the plugin is to do; null for a change to the record.' }),
    instance: instanceName.nullable().meta({ description: 'The runtime that took it last.' }),
    progress: progress.nullable(),
    message: responseText(JOB_LIMITS.message)
      .nullable()
      .meta({ description: 'What the runtime says of it.', examples: ['120 events sent again'] }),
    cancelling: z.boolean().meta({ description: 'Whether the runtime is asked to stop.' }),
  })
  .meta({
    id: 'Job',
    description: 'A job of a record and its state.',
  });

export const jobWithOutput = job.extend({ output: json.meta({ examples: [{ sent: 120 }] }) }).meta({
  id: 'JobWithOutput',
  description: 'A job of a record, its state, and what the runtime returned.',
  examples: [
    {
      id: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f',
      state: 'succeeded',
      attempts: 1,
      error: null,
      created_at: '2026-03-01T09:30:00.000Z',
      started_at: '2026-03-01T09:30:00.120Z',
      finished_at: '2026-03-01T09:30:12.180Z',
      plugin: 7,
      type: 'replay',
      instance: 'shop-eu-1',
      progress: 1,
      message: '120 events sent again',
      cancelling: false,
      output: { sent: 120 },
    },
  ],
});

export const jobQuery = z.object({
  wait: wait.meta({ description: 'Seconds to wait for the end of the job.' }),
});

export const jobPage = pageOf('JobPage', job);

export const jobListQuery = z.object({
  ...pageParameters,
  state: parameter(orNull(z.enum(JOB_STATES)), RAW_TEXT).meta({ description: 'Only jobs in this state.' }),
});
