import * as z from 'zod';
import { integer, INTEGER_MAX, natural } from './integer.ts';
import { json } from './json.ts';
import { keyed } from './keyed.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { digits, orNull, parameter } from './parameter.ts';
import { INSTANCE_NAME } from './path-params.ts';
import { JSON_TEXT_MAX, shownText } from './shown-text.ts';
import { STORABLE, text } from './text.ts';

const VERSION_MAX = 200;
const NAME_MAX = 400;
const RECORDS_MAX = 5000;
const VALUES_MAX = 10_000;
const WAIT = { min: 1, max: 50 };
/** The most text of an error in a report. A longer one than the service keeps is cut. */
const SENT_ERROR_MAX = 1024 * 1024;
/** What the service keeps of an error, with a note of the missing length. */
const ERROR_MAX = 10_050;
const FAILED_MAX = 100;
const LABELS_MAX = 10;
const LABEL_MAX = 100;

export const runtimeQuery = z.object({
  wait: parameter(orNull(integer(WAIT)), digits(WAIT)).meta({
    description:
      'The seconds to wait for another version than the one in `If-None-Match`. Without a tag, or with `*`, there is no wait.',
  }),
});

const runtimeRecord = z.object({
  id: natural(),
  plugin: integer({ min: 0, max: INTEGER_MAX }).meta({ description: 'Identifier of the plugin.' }),
  plugin_name: shownText(NAME_MAX)
    .nullable()
    .meta({ description: 'The name of the plugin; null if it is not registered.' }),
  name: shownText(NAME_MAX).nullable(),
  order: integer({ min: 0, max: INTEGER_MAX }),
  config: z
    .record(shownText(JSON_TEXT_MAX), json)
    .meta({ description: 'The configuration with the values of secrets.', maxProperties: VALUES_MAX }),
});

const version = shownText(VERSION_MAX);

export const runtimeConfiguration = z
  .object({
    version: version.meta({
      description: 'Another one whenever something in `results` changes, and only then. Also the `ETag`.',
      examples: ['Zb0l3lzJcN2Zb3m6Uuyo6w'],
    }),
    results: z
      .array(runtimeRecord)
      .meta({ maxItems: RECORDS_MAX, description: 'The enabled records in their order.' }),
  })
  .meta({
    id: 'RuntimeConfiguration',
    description: 'Everything that a runtime of a family needs, secrets included.',
    examples: [
      {
        version: 'Zb0l3lzJcN2Zb3m6Uuyo6w',
        results: [
          {
            id: 42,
            plugin: 7,
            plugin_name: 'GeoIP',
            name: 'GeoIP for the shop',
            order: 1,
            config: { host: 'geo.example.com', token: 'hunter2' },
          },
        ],
      },
    ],
  });

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
        additionalProperties: { type: 'string', maxLength: LABEL_MAX, pattern: STORABLE },
        description: 'Whatever tells runtimes apart, such as a region or a release.',
      }),
  })
  .meta({ id: 'RuntimeReport', description: 'What a runtime runs.' });

const runtime = z
  .object({
    instance: z.string().meta({ pattern: INSTANCE_NAME.source, maxLength: 128 }),
    version,
    current: z.boolean().meta({ description: 'Whether it has the current version.' }),
    online: z.boolean().meta({ description: 'Whether it has reported within the last 3 minutes.' }),
    status: z.enum(STATUSES),
    error: shownText(ERROR_MAX).nullable(),
    failed: z
      .array(z.object({ id: natural(), error: shownText(ERROR_MAX) }))
      .meta({ maxItems: FAILED_MAX, description: 'The records that it could not apply.' }),
    labels: z.record(shownText(LABEL_MAX), shownText(LABEL_MAX)).meta({ maxProperties: LABELS_MAX }),
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
        current: true,
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
export type WireRuntimeConfiguration = z.infer<typeof runtimeConfiguration>;
