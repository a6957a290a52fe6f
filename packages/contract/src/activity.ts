import * as z from 'zod';
import { recordFields } from './config-record.ts';
import { REQUEST_ID } from './headers.ts';
import { natural } from './integer.ts';
import { json } from './json.ts';
import { moment } from './moment.ts';
import { PAGE_MAX, pageEnvelope, pageQuery } from './page.ts';
import { shownText } from './shown-text.ts';

const ACTIVITIES = [
  'created',
  'updated',
  'enabled',
  'disabled',
  'deleted',
  'restored',
  'rearranged',
  'config_updated',
  'job_queued',
  'job_succeeded',
  'job_failed',
  'job_cancelled',
] as const;

const CHANGES_MAX = 100;
const FIELD_MAX = 64 * 1024;
const LABEL_MAX = 200;

export const activityQuery = pageQuery;

export const actor = z.object({
  key_id: natural().nullable().meta({ description: "Null for an operator's command." }),
  label: shownText(LABEL_MAX),
});

export const activityEntry = z
  .object({
    id: natural(),
    activity: z.enum(ACTIVITIES),
    created_at: moment,
    actor,
    changes: z
      .array(z.object({ field: shownText(FIELD_MAX), before: json, after: json }))
      .meta({ maxItems: CHANGES_MAX, description: `At most ${CHANGES_MAX}, of at most 64 KiB together.` }),
    more: natural().optional().meta({
      description: 'The number of further changes that the entry leaves out; absent if there are none.',
    }),
    request_id: z
      .string()
      .nullable()
      .meta({ ...REQUEST_ID, description: 'The x-request-id of the request that made the change.' }),
  })
  .meta({
    id: 'ActivityEntry',
    description: 'One change of a record: who made it, when, and each field before and after.',
    examples: [
      {
        id: 108,
        activity: 'disabled',
        created_at: '2026-03-02T18:04:11.250Z',
        actor: { key_id: 3, label: 'deploy script' },
        changes: [{ field: 'enabled', before: true, after: false }],
        request_id: '7b0e2c5e-2b1e-4f4c-9a55-0f6f5b9a8f11',
      },
    ],
  });

export const activityView = z
  .object({ ...recordFields, ...pageEnvelope, results: z.array(activityEntry).meta({ maxItems: PAGE_MAX }) })
  .meta({
    id: 'ConfigRecordActivity',
    description: 'The record and, beside its fields, one page of its history, newest first.',
  });

export type WireActor = z.infer<typeof actor>;
export type WireActivityEntry = z.infer<typeof activityEntry>;
export type WireActivityView = z.infer<typeof activityView>;
