import * as z from 'zod';
import { INTEGER_MAX, RECORD_TEXTS_MAX, RUNTIME_STATUSES } from '@plugin-config/domain/vocabulary';
import { boundedMap } from './bounded-map.ts';
import { integer, natural } from './integer.ts';
import { json } from './json.ts';
import { digits, orNull, parameter } from './parameter.ts';
import { slug } from './record-fields.ts';
import { JSON_TEXT_MAX, responseText } from './response-text.ts';
import { STORABLE, text } from './text.ts';

// The parts that a runtime of a project and the feed of all projects have in common.

export const VERSION_MAX = 200;
export const RECORDS_MAX = 5000;
const VALUES_MAX = 10_000;
const WAIT = { min: 1, max: 50 };
/** The maximum length of an error in a report. The service stores only its beginning. */
const SENT_ERROR_MAX = 1024 * 1024;
export const LABELS_MAX = 10;
export const LABEL_MAX = 100;
const PLUGINS_MAX = 200;
const SCHEMAS_MAX = 50;

export const wait = parameter(orNull(integer(WAIT)), digits(WAIT));

export const version = responseText(VERSION_MAX).meta({ examples: ['Zb0l3lzJcN2Zb3m6Uuyo6w'] });

/** The configuration of a record as runtimes get it. */
export const valuesOfRecord = z.record(responseText(JSON_TEXT_MAX), json).meta({
  description: 'The configuration, including the values of secrets.',
  maxProperties: VALUES_MAX,
  examples: [{ host: 'geo.example.com', token: 'hunter2' }],
});

export const runtimeRecord = z.object({
  id: natural(),
  plugin: integer({ min: 0, max: INTEGER_MAX }).meta({ description: 'Identifier of the plugin.' }),
  plugin_name: responseText(RECORD_TEXTS_MAX.name)
    .nullable()
    .meta({ description: 'The name of the plugin; null if it is not registered.', examples: ['GeoIP'] }),
  plugin_slug: slug.nullable().meta({ description: 'The slug of the plugin; null if it has none.' }),
  plugin_version: responseText(LABEL_MAX)
    .nullable()
    .meta({
      examples: ['2.3.1'],
      description: 'The version of the plugin that the record follows; null if it is not registered.',
    }),
  schema_version: natural().meta({ description: 'The schema version that the configuration follows.' }),
  name: responseText(RECORD_TEXTS_MAX.name)
    .nullable()
    .meta({ examples: ['GeoIP for the shop'] }),
  order: integer({ min: 0, max: INTEGER_MAX }),
  valid: z.boolean().meta({ description: 'False if the schema of the plugin rejects the configuration.' }),
  config_version: natural().meta({ description: 'Counts the changes to the stored configuration.' }),
  config: valuesOfRecord,
});

/** The error of a record, or of all. */
export const failure = text(SENT_ERROR_MAX);

export const WHY_FAILED = 'Why it failed. Truncated to 10,000 characters.';

const runningPlugin = z.object({
  version: text(LABEL_MAX).min(1),
  schemas: z.array(natural()).max(SCHEMAS_MAX).meta({
    description: 'The versions of its schema that the runtime understands.',
  }),
});

const runningPluginSchema = {
  type: 'object',
  required: ['version', 'schemas'],
  properties: {
    version: { type: 'string', minLength: 1, maxLength: LABEL_MAX, pattern: STORABLE },
    schemas: {
      type: 'array',
      maxItems: SCHEMAS_MAX,
      items: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      description: 'The versions of its schema that the runtime understands.',
    },
  },
};

/** The plugins of a stored report. */
export const runningPlugins = z
  .record(
    slug,
    z.object({
      version: responseText(LABEL_MAX),
      schemas: z.array(natural()).meta({ maxItems: SCHEMAS_MAX }),
    }),
  )
  .nullable()
  .meta({
    maxProperties: PLUGINS_MAX,
    description: 'The plugins that it runs, by id or slug; null if it does not say.',
    examples: [{ geoip: { version: '2.3.1', schemas: [3, 4] } }],
  });

/** The fields of every report. */
export const REPORT = {
  status: z.enum(RUNTIME_STATUSES),
  error: orNull(failure.nullable()).meta({ description: WHY_FAILED }),
  labels: boundedMap(text(LABEL_MAX).min(1), text(LABEL_MAX), LABELS_MAX)
    .default({})
    .meta({
      additionalProperties: { type: 'string', maxLength: LABEL_MAX, pattern: STORABLE },
      description: 'Labels that distinguish runtimes, such as a region or a release.',
    }),
  plugins: orNull(
    boundedMap(slug, runningPlugin, PLUGINS_MAX)
      .meta({ additionalProperties: runningPluginSchema })
      .nullable(),
  ).meta({ description: 'The plugins that the runtime runs, by id or slug.' }),
} as const;
