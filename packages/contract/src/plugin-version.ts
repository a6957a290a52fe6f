import * as z from 'zod';
import {
  JOB_LIMITS,
  MIGRATION_LIMITS,
  PLUGIN_VERSION,
  PLUGIN_VERSION_LIMITS as LIMITS,
  PLUGIN_VERSION_MAX,
  VERSION_STATES,
} from '@plugin-config/domain/vocabulary';
import { camelCased } from './camel-case.ts';
import { integer } from './integer.ts';
import { json, jsonObject } from './json.ts';
import { moment, sentMoment } from './moment.ts';
import { pageOf } from './page.ts';
import {
  checks,
  configField,
  field,
  FIELDS_MAX,
  jobTypeOfFile,
  registeredJobType,
  renamedContent,
} from './registered-plugin.ts';
import { responseText } from './response-text.ts';
import { filledText, text } from './text.ts';

const schemaVersion = integer({ min: 1, max: LIMITS.schemaVersion }).meta({
  description: 'The version of its schema, which many versions share.',
});

const key = filledText(MIGRATION_LIMITS.key);
const fromTo = z.strictObject({ from: key, to: key });

const step = z
  .union([
    z.strictObject({ rename: fromTo }),
    z.strictObject({ remove: key }),
    z.strictObject({ default: z.strictObject({ key, value: json }) }),
    z.strictObject({ map: z.strictObject({ key, values: jsonObject }) }),
    z.strictObject({ move: fromTo }),
    z.strictObject({
      split: z.strictObject({
        key,
        pattern: filledText(MIGRATION_LIMITS.pattern),
        numbers: z.array(key).max(MIGRATION_LIMITS.numbers).optional(),
      }),
    }),
    z.strictObject({ require: key }),
  ])
  .meta({ id: 'MigrationStep', description: 'A step of a migration, by its only field.' });

const migration = z
  .strictObject({
    from: integer({ min: 1, max: LIMITS.schemaVersion }).meta({
      description: 'The schema version that it migrates to the next one.',
    }),
    steps: z.array(step).max(MIGRATION_LIMITS.steps),
  })
  .meta({ id: 'ConfigMigration', description: 'Migrates configurations to the next schema version.' });

const examples = z.array(jsonObject).max(LIMITS.examples).meta({
  description:
    'Configurations of its schema, by which later migrations are checked. Secrets are `********` or references.',
});

const upgradeBy = moment.nullable().meta({ description: 'Null unless it is deprecated.' });

export const pluginVersion = z
  .object({
    version: responseText(PLUGIN_VERSION_MAX),
    schema_version: schemaVersion,
    state: z.enum(VERSION_STATES).meta({
      description:
        '`current` is the one by which the plugin is registered. A `withdrawn` one cannot be chosen.',
    }),
    message: responseText(LIMITS.message).nullable().meta({ description: 'Null unless it is deprecated.' }),
    upgrade_by: upgradeBy,
    registered_at: moment,
    config_schema: z.array(field).meta({ maxItems: FIELDS_MAX }).optional(),
    jobs: z.array(registeredJobType).meta({ maxItems: JOB_LIMITS.types }).optional(),
    checks,
    migrations: z.array(migration).meta({ maxItems: LIMITS.schemaVersion }),
    examples,
  })
  .meta({
    id: 'PluginVersion',
    description: 'A version of a plugin.',
    examples: [
      {
        version: '2.3.1',
        schema_version: 2,
        state: 'current',
        message: null,
        upgrade_by: null,
        registered_at: '2026-03-01T09:30:00.000Z',
        config_schema: [{ key: 'retry', type: 'boolean' }],
        migrations: [{ from: 1, steps: [{ rename: { from: 'retries', to: 'retry' } }] }],
        examples: [{ retry: true }],
      },
    ],
  });

export const pluginVersionPage = pageOf('PluginVersionPage', pluginVersion);

export type WirePluginVersion = z.infer<typeof pluginVersion>;
export type WirePluginVersionPage = z.infer<typeof pluginVersionPage>;

/** A version to register. Its name is in the path. */
export const versionBody = z
  .strictObject({
    schema_version: schemaVersion,
    config_schema: z.array(configField).max(FIELDS_MAX).optional(),
    jobs: z.array(jobTypeOfFile).max(JOB_LIMITS.types).optional(),
    checks,
    migrations: z.array(migration).max(LIMITS.schemaVersion).default([]),
    examples: examples.default([]),
  })
  .transform((sent) => renamedContent(sent))
  .meta({ id: 'RegisterPluginVersion', description: 'The version to register.' });

const versionName = z
  .string()
  .regex(new RegExp(`^${PLUGIN_VERSION}$`), 'A version of the plugin is required.')
  .meta({ maxLength: PLUGIN_VERSION_MAX, example: '2.3.1' });

/** The version that a record is upgraded to. */
export const upgradeBody = z
  .object({
    version: versionName.optional().meta({ description: 'The current one by default.' }),
    force: z.boolean().default(false).meta({
      description: 'Upgrades the record although online runtimes do not understand the schema.',
    }),
  })
  .meta({ id: 'UpgradeConfigRecord', description: 'The version to upgrade to.' });

/** The version that a record is pinned to. */
export const pinBody = z
  .object({
    version: versionName.nullable().meta({ description: 'Null lets the record follow the current version.' }),
  })
  .meta({ id: 'PinConfigRecord', description: 'The version to keep.' });

/** A change of a version's state. */
export const versionChange = z
  .object({
    state: z.enum(VERSION_STATES).optional(),
    message: text(LIMITS.message).nullish(),
    upgrade_by: sentMoment.nullish(),
  })
  .transform(camelCased({}))
  .meta({ id: 'ChangePluginVersion', description: 'The change of a version.' });
