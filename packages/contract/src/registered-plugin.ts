import * as z from 'zod';
import {
  CHECK,
  COUNTED_RECORDS_MAX,
  FIELD_TYPES,
  JOB_LIMITS,
  SLUG_PREFIX,
} from '@plugin-config/domain/vocabulary';
import { camelCased } from './camel-case.ts';
import { familyName } from './family.ts';
import { integer, natural } from './integer.ts';
import { jobType } from './job.ts';
import { json, jsonObject } from './json.ts';
import { pageOf } from './page.ts';
import { plugin, slug } from './record-fields.ts';
import { responseText } from './response-text.ts';
import { projectSubject, recordSubject } from './subject.ts';
import { filledText, text } from './text.ts';

const NAME_MAX = 400;
const TEXT_MAX = 10_000;
const ADDRESS_MAX = 2000;
const KEY_MAX = 200;
export const FIELDS_MAX = 500;

const flag = z.boolean().optional();
const secret = flag.meta({ description: 'Whether values are masked.' });
const runtimeWritable = flag.meta({ description: 'Whether runtimes may change values, which are secret.' });
const schema = jsonObject.optional().meta({
  description: 'A JSON Schema for the values of a `json` field, without references to other documents.',
});
const site = flag.meta({ description: 'Whether browsers may see values.' });

export const field = z.object({
  key: responseText(KEY_MAX),
  type: z.enum(FIELD_TYPES),
  name: responseText(NAME_MAX).optional(),
  default: json.optional(),
  required: flag,
  choices: z.array(responseText(NAME_MAX)).meta({ maxItems: FIELDS_MAX }).optional(),
  secret,
  runtime_writable: runtimeWritable,
  site,
  hint: responseText(TEXT_MAX).optional(),
  schema,
});

export const checks = flag.meta({ description: 'Whether its runtimes can test a configuration.' });
const timeoutSeconds = integer(JOB_LIMITS.timeoutSeconds).optional().meta({
  description: 'How long a runtime may take, from its claim. 3,600 unless given.',
});
const payloadSchema = jsonObject.optional().meta({
  description: 'A JSON Schema for payloads, without references to other documents.',
});

export const registeredJobType = z.object({
  type: jobType,
  name: responseText(NAME_MAX).optional(),
  description: responseText(TEXT_MAX).optional(),
  payload_schema: payloadSchema,
  timeout_seconds: timeoutSeconds,
});

const registered = {
  id: natural(),
  slug: slug.optional().meta({
    description:
      'Unique among all plugins. `slug:` and the slug can replace the id in paths, bodies and parameters.',
  }),
  name: responseText(NAME_MAX),
  description: responseText(TEXT_MAX).optional(),
  url: responseText(ADDRESS_MAX).optional(),
  icon: responseText(ADDRESS_MAX).optional(),
  config_schema: z.array(field).optional().meta({
    maxItems: FIELDS_MAX,
    description: 'As registered, without the defaults of secrets.',
  }),
  jobs: z.array(registeredJobType).optional().meta({
    maxItems: JOB_LIMITS.types,
    description: 'The types of jobs that its runtimes take.',
  }),
  checks,
};

const EXAMPLE = {
  id: 8,
  slug: 'webhook',
  name: 'Webhook',
  url: 'https://example.com',
  config_schema: [{ key: 'retry', type: 'boolean', default: true }],
};

export const registeredPlugin = z
  .object(registered)
  .meta({ id: 'RegisteredPlugin', description: 'A registered plugin.', examples: [EXAMPLE] });

export const registeredPluginPage = pageOf('RegisteredPluginPage', registeredPlugin);

export const registrationResult = z
  .object({
    ...registered,
    records: z.object({
      total: natural().meta({
        description: 'The records of the plugin in all projects that are not deleted.',
      }),
      invalid: natural()
        .nullable()
        .meta({
          description:
            'The enabled ones whose configuration the schema rejects; ' +
            `null if there are more than ${COUNTED_RECORDS_MAX.toLocaleString('en')} records.`,
        }),
    }),
  })
  .meta({
    id: 'RegistrationResult',
    description: 'The registered plugin, and how many records it has.',
    examples: [{ ...EXAMPLE, records: { total: 20, invalid: 1 } }],
  });

/** A record in the list of a plugin's records. */
export const attachedRecord = z
  .object({
    project: projectSubject,
    family: familyName,
    record: recordSubject,
    enabled: z.boolean(),
    valid: z.boolean().meta({
      description: 'False if the record is enabled and the schema of its plugin rejects its configuration.',
    }),
    outdated: z.boolean().meta({
      description:
        'Whether it follows an older schema version than the current one, or is pinned to a version that was given up.',
    }),
  })
  .meta({
    id: 'AttachedRecord',
    description: 'A record of a plugin.',
    examples: [
      {
        project: { id: 1, external_id: 'acme-corp', name: 'Acme' },
        family: 'plugin_configs',
        record: { id: 42, name: 'GeoIP 42' },
        enabled: true,
        valid: false,
        outdated: false,
      },
    ],
  });

export const attachedRecordPage = pageOf('AttachedRecordPage', attachedRecord);

/** Null counts as absent. */
const optionalText = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => value ?? undefined);

export const configField = z.strictObject({
  key: filledText(KEY_MAX),
  type: z.enum(FIELD_TYPES),
  name: optionalText(NAME_MAX),
  default: json.optional(),
  required: flag,
  choices: z.array(text(NAME_MAX)).max(FIELDS_MAX).optional(),
  secret,
  runtime_writable: runtimeWritable,
  site,
  hint: optionalText(TEXT_MAX),
  schema,
});

export const jobTypeOfFile = z.strictObject({
  type: jobType.refine((type) => type !== CHECK, 'Declare checks with "checks": true.'),
  name: optionalText(NAME_MAX),
  description: optionalText(TEXT_MAX),
  payload_schema: payloadSchema,
  timeout_seconds: timeoutSeconds,
});

const registration = {
  slug: slug.nullish().meta({ description: 'Null removes it; if absent, the plugin keeps its own.' }),
  name: filledText(NAME_MAX),
  description: optionalText(TEXT_MAX),
  url: optionalText(ADDRESS_MAX),
  icon: optionalText(ADDRESS_MAX),
  config_schema: z.array(configField).max(FIELDS_MAX).optional(),
  jobs: z.array(jobTypeOfFile).max(JOB_LIMITS.types).optional(),
  checks,
};

const renamed = camelCased({});

type Content = z.output<z.ZodObject<Pick<typeof registration, 'config_schema' | 'jobs'>>>;

/** Renames the fields of a registration, and those of its schema. */
export const renamedContent = <T extends Content>(sent: T) => ({
  ...renamed(sent),
  ...(sent.config_schema && { configSchema: sent.config_schema.map((one) => renamed(one)) }),
  ...(sent.jobs && { jobs: sent.jobs.map((one) => renamed(one)) }),
});

/**
 * The file from which an operator registers a plugin, by its id or its slug. Unknown fields are rejected: a misspelt `secret` would disclose
 * the value.
 */
export const pluginFile = z
  .strictObject({ id: plugin.optional(), ...registration })
  .transform(({ id, ...fields }, ctx) => {
    if (id !== undefined) return { ...renamedContent(fields), id };
    if (fields.slug != null)
      return { ...renamedContent(fields), id: `${SLUG_PREFIX}${fields.slug}` as const };
    const message = 'An id or a slug is required.';
    ctx.addIssue({ code: 'invalid_type', expected: 'number', input: undefined, path: ['id'], message });
    return z.NEVER;
  })
  .meta({ id: 'PluginFile', description: 'A plugin as operators register it.' });

/** Like `pluginFile`, without the id, which is in the path. A slug there is that of the plugin. */
export const pluginBody = z
  .strictObject(registration)
  .transform((sent) => renamedContent(sent))
  .meta({ id: 'RegisterPlugin', description: 'The plugin to register.' });
