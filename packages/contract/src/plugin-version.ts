import * as z from 'zod';
import {
  COUNTED_RECORDS_MAX,
  JOB_LIMITS,
  MIGRATION_LIMITS,
  PATTERN_MAX,
  PLUGIN_VERSION,
  PLUGIN_VERSION_LIMITS as LIMITS,
  PLUGIN_VERSION_MAX,
  UPGRADE_PLAN_LIMITS,
  UPGRADE_STATUSES,
  VERSION_STATES,
} from '@plugin-config/domain/vocabulary';
import { camelCased } from './camel-case.ts';
import { errorText } from './error-body.ts';
import { familyName } from './family.ts';
import { counts, integer, natural } from './integer.ts';
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
import { projectSubject, recordSubject } from './subject.ts';
import { filledText, text } from './text.ts';

export const versionName = z
  .string()
  .regex(new RegExp(`^${PLUGIN_VERSION}$`), 'A version of the plugin is required.')
  .meta({ maxLength: PLUGIN_VERSION_MAX, examples: ['2.3.1'] });

const PLAN = UPGRADE_PLAN_LIMITS;
const INSTANCE_MAX = 128;

const schemaVersion = integer({ min: 1, max: LIMITS.schemaVersion }).meta({
  examples: [2],
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
        pattern: filledText(PATTERN_MAX),
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
    steps: z
      .array(step)
      .max(MIGRATION_LIMITS.steps)
      .meta({ examples: [[{ rename: { from: 'retries', to: 'retry' } }]] }),
  })
  .meta({ id: 'ConfigMigration', description: 'Migrates configurations to the next schema version.' });

const examples = z.array(jsonObject).max(LIMITS.examples).meta({
  description:
    'Configurations of its schema, by which later migrations are checked. Secrets are `********` or references.',
});

export const pluginVersion = z
  .object({
    version: versionName,
    schema_version: schemaVersion,
    state: z.enum(VERSION_STATES).meta({
      description:
        '`current` is the one by which the plugin is registered. A `withdrawn` one cannot be chosen.',
    }),
    message: responseText(LIMITS.message).nullable().meta({ description: 'Null unless it is deprecated.' }),
    upgrade_by: moment.nullable().meta({ description: 'Null unless it is deprecated.' }),
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
  });

export const listedVersion = pluginVersion
  .extend({
    records: natural()
      .nullable()
      .meta({
        description:
          'The records of the key that follow it and are not deleted; ' +
          `null if those of the plugin are more than ${COUNTED_RECORDS_MAX.toLocaleString('en')}.`,
      }),
  })
  .meta({
    id: 'ListedPluginVersion',
    description: 'A version of a plugin, and how many records follow it.',
  });

export const pluginVersionPage = pageOf('PluginVersionPage', listedVersion);

export type WirePluginVersion = z.infer<typeof pluginVersion>;

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

const plannedUpgrade = z
  .object({
    project: projectSubject,
    family: familyName,
    ...recordSubject.shape,
    enabled: z.boolean(),
    schema_version: schemaVersion.meta({ description: 'That of its configuration.' }),
    plugin_version: versionName.nullable().meta({
      description: 'The version that it is pinned to; null if it follows the current one.',
    }),
    status: z.enum(UPGRADE_STATUSES),
    lacks: z
      .array(z.object({ attr: errorText.nullable(), detail: errorText }))
      .meta({ maxItems: PLAN.items, description: 'What a person has to decide, by entry.' }),
    lost: z.array(responseText(MIGRATION_LIMITS.key)).meta({
      maxItems: PLAN.items,
      description: 'The entries whose values would be lost.',
    }),
    runtimes: z.array(responseText(INSTANCE_MAX)).meta({
      maxItems: PLAN.runtimes,
      description: 'Online runtimes that do not understand the schema.',
    }),
  })
  .meta({ id: 'PlannedUpgrade', description: 'A record that is not upgraded, or not without a loss.' });

/** What an upgrade of all records of a plugin would do. */
export const upgradePlan = z
  .object({
    version: versionName,
    schema_version: schemaVersion,
    total: natural().meta({ description: 'The records of the plugin in all projects that are not deleted.' }),
    judged: natural().meta({
      description: `How many were judged: the first ${COUNTED_RECORDS_MAX.toLocaleString('en')}. The counts are of these.`,
    }),
    ...counts(UPGRADE_STATUSES).shape,
    records: z.array(plannedUpgrade).meta({
      maxItems: PLAN.records,
      description: 'The first that are neither clean nor up to date, sorted by project, family and id.',
    }),
  })
  .meta({
    id: 'UpgradePlan',
    description: 'What an upgrade of all records would do. Each counts once.',
  });

/** A change of a version's state. */
export const versionChange = z
  .object({
    state: z.enum(VERSION_STATES).optional(),
    message: text(LIMITS.message).nullish(),
    upgrade_by: sentMoment.nullish(),
  })
  .transform(camelCased({}))
  .meta({ id: 'ChangePluginVersion', description: 'The change of a version.' });
