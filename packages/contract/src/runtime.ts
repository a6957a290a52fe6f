import * as z from 'zod';
import { INTEGER_MAX, RECORD_TEXTS_MAX, RUNTIME_STATUSES } from '@plugin-config/domain/vocabulary';
import { integer, natural } from './integer.ts';
import { json } from './json.ts';
import { boundedMap } from './bounded-map.ts';
import { familyName } from './family.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { digits, orNull, parameter } from './parameter.ts';
import { INSTANCE_NAME } from './path-params.ts';
import { pluginParameter, slug } from './record-fields.ts';
import { JSON_TEXT_MAX, responseText } from './response-text.ts';
import { projectSubject } from './subject.ts';
import { STORABLE, text } from './text.ts';

const VERSION_MAX = 200;
const RECORDS_MAX = 5000;
const VALUES_MAX = 10_000;
const WAIT = { min: 1, max: 50 };
/** The maximum length of an error in a report. The service stores only its beginning. */
const SENT_ERROR_MAX = 1024 * 1024;
/** The maximum length of a stored error, including the number of missing characters. */
const ERROR_MAX = 10_050;
const FAILED_MAX = 100;
const LABELS_MAX = 10;
const LABEL_MAX = 100;

export const runtimeQuery = z.object({
  wait: parameter(orNull(integer(WAIT)), digits(WAIT)).meta({
    description:
      'Seconds to wait for a version other than the one in `If-None-Match`. Without a tag, or with `*`, there is no wait.',
  }),
});

const runtimeRecord = z.object({
  id: natural(),
  plugin: integer({ min: 0, max: INTEGER_MAX }).meta({ description: 'Identifier of the plugin.' }),
  plugin_name: responseText(RECORD_TEXTS_MAX.name)
    .nullable()
    .meta({ description: 'The name of the plugin; null if it is not registered.' }),
  plugin_slug: slug.nullable().meta({ description: 'The slug of the plugin; null if it has none.' }),
  name: responseText(RECORD_TEXTS_MAX.name).nullable(),
  order: integer({ min: 0, max: INTEGER_MAX }),
  valid: z.boolean().meta({ description: 'False if the schema of the plugin rejects the configuration.' }),
  config: z
    .record(responseText(JSON_TEXT_MAX), json)
    .meta({ description: 'The configuration, including the values of secrets.', maxProperties: VALUES_MAX }),
});

const version = responseText(VERSION_MAX);

export const runtimeConfiguration = z
  .object({
    version: version.meta({
      description: 'Changes if and only if `results` changes. Also sent as the `ETag`.',
      examples: ['Zb0l3lzJcN2Zb3m6Uuyo6w'],
    }),
    results: z
      .array(runtimeRecord)
      .meta({ maxItems: RECORDS_MAX, description: 'The enabled records in order.' }),
  })
  .meta({
    id: 'RuntimeConfiguration',
    description: 'Everything that a runtime needs, including secrets.',
    examples: [
      {
        version: 'Zb0l3lzJcN2Zb3m6Uuyo6w',
        results: [
          {
            id: 42,
            plugin: 7,
            plugin_name: 'GeoIP',
            plugin_slug: 'geoip',
            name: 'GeoIP for the shop',
            order: 1,
            valid: true,
            config: { host: 'geo.example.com', token: 'hunter2' },
          },
        ],
      },
    ],
  });

export const runtimeReportBody = z
  .object({
    version: text(VERSION_MAX).meta({
      description: 'The version that the runtime applied or tried to apply.',
    }),
    status: z.enum(RUNTIME_STATUSES),
    error: orNull(text(SENT_ERROR_MAX).nullable()).meta({
      description: 'Why it failed. Truncated to 10,000 characters.',
    }),
    failed: z
      .array(z.object({ id: natural(), error: text(SENT_ERROR_MAX) }))
      .max(FAILED_MAX)
      .default([])
      .meta({
        description: 'The records that could not be applied. Ids that are not in the family are ignored.',
      }),
    labels: boundedMap(text(LABEL_MAX).min(1), text(LABEL_MAX), LABELS_MAX)
      .default({})
      .meta({
        additionalProperties: { type: 'string', maxLength: LABEL_MAX, pattern: STORABLE },
        description: 'Labels that distinguish runtimes, such as a region or a release.',
      }),
  })
  .meta({ id: 'RuntimeReport', description: 'The state of a runtime.' });

export const runtime = z
  .object({
    instance: z.string().meta({ pattern: INSTANCE_NAME.source, maxLength: 128 }),
    version,
    current: z.boolean().meta({ description: 'Whether it runs the current version.' }),
    online: z.boolean().meta({ description: 'Whether it has reported within the last 3 minutes.' }),
    status: z.enum(RUNTIME_STATUSES),
    error: responseText(ERROR_MAX).nullable(),
    failed: z
      .array(z.object({ id: natural(), error: responseText(ERROR_MAX) }))
      .meta({ maxItems: FAILED_MAX, description: 'The records that could not be applied.' }),
    labels: z.record(responseText(LABEL_MAX), responseText(LABEL_MAX)).meta({ maxProperties: LABELS_MAX }),
    first_seen_at: moment,
    last_seen_at: moment,
  })
  .meta({
    id: 'Runtime',
    description: 'A runtime as last reported.',
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

const { current: _, ...shared } = runtime.shape;

export const projectRuntime = z.object({ project: projectSubject, family: familyName, ...shared }).meta({
  id: 'ProjectRuntime',
  description: 'A runtime of any project, as last reported.',
  examples: [
    {
      project: { id: 1, external_id: 'acme-corp', name: 'Acme' },
      family: 'plugin_configs',
      instance: 'shop-eu-1',
      version: 'Zb0l3lzJcN2Zb3m6Uuyo6w',
      online: true,
      status: 'applied',
      error: null,
      failed: [],
      labels: { region: 'eu' },
      first_seen_at: '2026-03-01T09:30:00.000Z',
      last_seen_at: '2026-03-02T18:04:11.250Z',
    },
  ],
});

export const projectRuntimePage = pageOf('ProjectRuntimePage', projectRuntime);

export const projectRuntimeQuery = z.object({
  ...pageParameters,
  plugin: pluginParameter.meta({
    description: 'Only runtimes of families with an enabled record of this plugin.',
  }),
});

export type WireRuntime = z.infer<typeof runtime>;
export type WireRuntimePage = z.infer<typeof runtimePage>;
export type WireRuntimeConfiguration = z.infer<typeof runtimeConfiguration>;
export type WireProjectRuntimePage = z.infer<typeof projectRuntimePage>;
