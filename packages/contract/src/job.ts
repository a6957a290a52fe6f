import * as z from 'zod';
import { JOB_STATES } from '@plugin-config/domain/vocabulary';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { RAW_TEXT, orNull, parameter } from './parameter.ts';
import { config } from './record-bodies.ts';
import { writableFields } from './record-fields.ts';
import { responseMessage, uuid } from './response-text.ts';
import { filledText } from './text.ts';

const WORD_MAX = 200;

const task = z.object({
  type: filledText(WORD_MAX).meta({ description: 'Rejected, since no plugin takes jobs of any type.' }),
});

/** The change that the job makes to the record. The older form, a task for the plugin, is rejected. */
export const jobBody = z
  .object({
    ...writableFields,
    config: config.meta({
      description: 'An object is rejected: send it to `…/config`. Text, as in responses, is ignored.',
    }),
    job: task.optional(),
  })
  .transform(({ job, config: values, ...change }, ctx) => {
    if (job !== undefined)
      ctx.addIssue({ code: 'custom', path: ['job', 'type'], message: 'No plugin takes jobs of this type.' });
    if (values !== undefined)
      ctx.addIssue({ code: 'custom', path: ['config'], message: 'A job does not change the configuration.' });
    return change;
  })
  .meta({ id: 'QueueJob', description: 'The fields that the job changes.' });

export const job = z
  .object({
    id: uuid,
    state: z.enum(JOB_STATES),
    attempts: natural(),
    error: responseMessage.nullable().meta({ description: 'Why the last attempt failed.' }),
    created_at: moment,
    started_at: moment.nullable(),
    finished_at: moment.nullable(),
  })
  .meta({
    id: 'Job',
    description: 'A job of a record and its state.',
    examples: [
      {
        id: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f',
        state: 'succeeded',
        attempts: 1,
        error: null,
        created_at: '2026-03-01T09:30:00.000Z',
        started_at: '2026-03-01T09:30:00.120Z',
        finished_at: '2026-03-01T09:30:00.180Z',
      },
    ],
  });

export const jobPage = pageOf('JobPage', job);

export const jobListQuery = z.object({
  ...pageParameters,
  state: parameter(orNull(z.enum(JOB_STATES)), RAW_TEXT).meta({ description: 'Only jobs in this state.' }),
});
export type WireJob = z.infer<typeof job>;
export type WireJobPage = z.infer<typeof jobPage>;
