import * as z from 'zod';
import { natural } from './integer.ts';
import { keyed } from './keyed.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { orNull } from './parameter.ts';
import { INSTANCE_NAME } from './path-params.ts';
import { shownText } from './shown-text.ts';
import { text } from './text.ts';

const VERSION_MAX = 200;
/** The most text of an error in a report. A longer one than the service keeps is cut. */
const SENT_ERROR_MAX = 1024 * 1024;
/** What the service keeps of an error, with a note of the missing length. */
const ERROR_MAX = 10_050;
const FAILED_MAX = 100;
const LABELS_MAX = 10;
const LABEL_MAX = 100;

const version = shownText(VERSION_MAX);

const STATUSES = ['applied', 'failed'] as const;

export const runtimeReportBody = z
  .object({
    version: text(VERSION_MAX).meta({ description: 'The version that the runtime has, or tried to apply.' }),
    status: z.enum(STATUSES),
    error: orNull(text(SENT_ERROR_MAX).nullable()).meta({
      description: 'Why it failed. What is longer than 10,000 characters is cut.',
    }),
    failed: z
      .array(z.object({ id: natural(), error: text(SENT_ERROR_MAX) }))
      .max(FAILED_MAX)
      .default([])
      .meta({
        maxItems: FAILED_MAX,
        description: 'The records that could not be applied. Ids that the family does not have are dropped.',
      }),
    labels: keyed(text(LABEL_MAX).min(1), text(LABEL_MAX), LABELS_MAX)
      .default({})
      .meta({
        additionalProperties: { type: 'string', maxLength: LABEL_MAX },
        description: 'Whatever tells runtimes apart, such as a region or a release.',
      }),
  })
  .meta({ id: 'RuntimeReport', description: 'What a runtime runs.' });

const runtime = z
  .object({
    instance: z.string().meta({ pattern: INSTANCE_NAME.source, maxLength: 128 }),
    version,
    online: z.boolean().meta({ description: 'Whether it has reported within the last 3 minutes.' }),
    status: z.enum(STATUSES),
    error: shownText(ERROR_MAX).nullable(),
    failed: z
      .array(z.object({ id: natural(), error: shownText(ERROR_MAX) }))
      .meta({ maxItems: FAILED_MAX, description: 'The records that it could not apply.' }),
    labels: z.record(z.string(), shownText(LABEL_MAX)).meta({ maxProperties: LABELS_MAX }),
    first_seen_at: moment,
    last_seen_at: moment,
  })
  .meta({
    id: 'Runtime',
    description: 'A runtime, as it last reported.',
    examples: [
      {
        instance: 'shop-eu-1',
        version: 'Zb0l3lzJcN2Zb3m6Uuyo6w',
        online: true,
        status: 'failed',
        error: null,
        failed: [{ id: 42, error: 'The token was rejected.' }],
        labels: { region: 'eu' },
        first_seen_at: '2026-03-01T09:30:00.000Z',
        last_seen_at: '2026-03-02T18:04:11.250Z',
      },
    ],
  });

export const runtimePage = pageOf('RuntimePage', runtime);

export type WireRuntime = z.infer<typeof runtime>;
export type WireRuntimePage = z.infer<typeof runtimePage>;
