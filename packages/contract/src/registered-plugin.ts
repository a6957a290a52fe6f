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
export const checks = flag.meta({ description: 'Whether its runtimes can test a configuration.' });

/** Null counts as absent. */
const optionalText = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => value ?? undefined);

const optionalResponse = (max: number) => responseText(max).optional();

/** The fields that are optional in requests, and absent from responses if there is nothing. */
const fieldShape = <Text extends z.ZodType>(optional: (max: number) => Text) => ({
  type: z.enum(FIELD_TYPES),
  name: optional(NAME_MAX),
  default: json.optional(),
  required: flag,
  choices: z.array(text(NAME_MAX)).max(FIELDS_MAX).optional(),
  secret: flag.meta({ description: 'Whether values are masked.' }),
  runtime_writable: flag.meta({ description: 'Whether runtimes may change values, which are secret.' }),
  site: flag.meta({ description: 'Whether browsers may see values.' }),
  hint: optional(TEXT_MAX),
  schema: jsonObject.optional().meta({
    description: 'A JSON Schema for the values of a `json` field, without references to other documents.',
  }),
});

const jobShape = <Text extends z.ZodType>(optional: (max: number) => Text) => ({
  name: optional(NAME_MAX),
  description: optional(TEXT_MAX),
  payload_schema: jsonObject.optional().meta({
    description: 'A JSON Schema for payloads, without references to other documents.',
  }),
  timeout_seconds: integer(JOB_LIMITS.timeoutSeconds).optional().meta({
    description: 'How long a runtime may take, from its claim. 3,600 unless given.',
  }),
});

const pluginShape = <Text extends z.ZodType>(optional: (max: number) => Text) => ({
  name: filledText(NAME_MAX).meta({ examples: ['GeoIP'] }),
  description: optional(TEXT_MAX),
  url: optional(ADDRESS_MAX),
  icon: optional(ADDRESS_MAX),
  checks,
});

export const field = z.object({
  key: responseText(KEY_MAX).meta({ examples: ['host'] }),
  ...fieldShape(optionalResponse),
});

export const registeredJobType = z.object({ type: jobType, ...jobShape(optionalResponse) });

const registered = {
  id: natural(),
  slug: slug.optional().meta({
    description:
      'Unique among all plugins. `slug:` and the slug can replace the id in paths, bodies and parameters.',
  }),
  ...pluginShape(optionalResponse),
  config_schema: z.array(field).optional().meta({
    maxItems: FIELDS_MAX,
    description: 'As registered, without the defaults of secrets.',
  }),
  jobs: z.array(registeredJobType).optional().meta({
    maxItems: JOB_LIMITS.types,
    description: 'The types of jobs that its runtimes take.',
  }),
};

export const registeredPlugin = z
  .object(registered)
  .meta({ id: 'RegisteredPlugin', description: 'A registered plugin.' });

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
  });

export const attachedRecordPage = pageOf('AttachedRecordPage', attachedRecord);

export const configField = z.strictObject({ key: filledText(KEY_MAX), ...fieldShape(optionalText) });

export const jobTypeOfFile = z.strictObject({
  type: jobType.refine((type) => type !== CHECK, 'Declare checks with "checks": true.'),
  ...jobShape(optionalText),
});

const registration = {
  slug: slug.nullish().meta({ description: 'Null removes it; if absent, the plugin keeps its own.' }),
  ...pluginShape(optionalText),
  config_schema: z.array(configField).max(FIELDS_MAX).optional(),
  jobs: z.array(jobTypeOfFile).max(JOB_LIMITS.types).optional(),
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
