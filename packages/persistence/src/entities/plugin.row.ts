import { defineEntity, p } from '@mikro-orm/core';
import {
  PLUGIN_VERSION,
  SLUG,
  UNVERSIONED,
  UPGRADE_STATES,
  VERSION_STATES,
  type ConfigField,
  type ConfigMigration,
  type JobType,
  type JsonObject,
  type UpgradeState,
  type VersionState,
} from '@plugin-config/domain';
import { authorColumns } from './author-columns.ts';
import { listed } from './families-in-sql.ts';

export const PluginRow = defineEntity({
  name: 'PluginRow',
  tableName: 'plugin',
  properties: {
    id: p.integer().primary().autoincrement(false),
    slug: p.text().strictNullable().unique('plugin_slug_key'),
    /** Null if the plugin is removed, like most other fields. Only its secret names are kept. */
    name: p.text().strictNullable(),
    description: p.text().strictNullable(),
    url: p.text().strictNullable(),
    icon: p.text().strictNullable(),
    configSchema: p.json<readonly ConfigField[]>().columnType('json').strictNullable(),
    jobs: p.json<readonly JobType[]>().columnType('json').strictNullable(),
    checks: p.boolean().strictNullable(),
    /** The current version. Its contents are those of the plugin. */
    version: p.text().default(UNVERSIONED),
    schemaVersion: p.integer().default(1),
    /** Whether it has versions of its own. Otherwise a registration replaces version 0. */
    versioned: p.boolean().default(false),
    /** The plugin as it is embedded in records; null if it is removed. */
    info: p.text().strictNullable(),
    /** The registry version at the last registration or removal of the plugin. */
    registryVersion: p.bigint('number'),
    /** The length of the defaults as JSON text; 0 if there are none. */
    defaultsBytes: p.integer().default(0),
    /** The defaults of secret fields, encrypted; null if there are none. */
    secretDefaults: p.blob().strictNullable(),
    /** Every name that a registration with this id has ever declared secret. */
    secretNames: p.array().defaultRaw(`'{}'`),
  },
  checks: [
    { name: 'plugin_id_check', expression: 'id >= 1' },
    { name: 'plugin_slug_check', expression: `slug ~ '^${SLUG}$'` },
    { name: 'plugin_config_schema_check', expression: `json_typeof(config_schema) = 'array'` },
    { name: 'plugin_removed_check', expression: '(info is null) = (name is null)' },
  ],
});

/** A version of a registered plugin. Its contents never change, except those of version 0 while it is the only one. */
export const PluginVersionRow = defineEntity({
  name: 'PluginVersionRow',
  tableName: 'plugin_version',
  primaryKeys: ['plugin', 'version'],
  properties: {
    /** No foreign key: a registration and its version are stored in either order. */
    plugin: p.integer().primary().autoincrement(false),
    version: p.text().primary(),
    /** Versions in the order of their registration. */
    number: p.integer(),
    schemaVersion: p.integer(),
    configSchema: p.json<readonly ConfigField[]>().columnType('json').strictNullable(),
    jobs: p.json<readonly JobType[]>().columnType('json').strictNullable(),
    checks: p.boolean().strictNullable(),
    migrations: p.json<readonly ConfigMigration[]>().columnType('json'),
    examples: p.json<readonly JsonObject[]>().columnType('json'),
    /** The plugin as it is embedded in records that follow this version. */
    info: p.text(),
    defaultsBytes: p.integer().default(0),
    /** The defaults of secret fields, encrypted as those of the plugin; null if there are none. */
    secretDefaults: p.blob().strictNullable(),
    state: p.text().$type<VersionState>(),
    message: p.text().strictNullable(),
    upgradeBy: p.datetime(3).strictNullable(),
    registeredAt: p.datetime(3),
  },
  uniques: [{ name: 'plugin_version_number_key', properties: ['plugin', 'number'] }],
  checks: [
    { name: 'plugin_version_version_check', expression: `version ~ '^${PLUGIN_VERSION}$'` },
    { name: 'plugin_version_schema_version_check', expression: 'schema_version >= 1' },
    { name: 'plugin_version_state_check', expression: `state in (${listed(VERSION_STATES)})` },
  ],
});

/** The last upgrade of all records of a plugin to a version, and one more for each schema version whose deadline has passed. */
export const PluginUpgradeRow = defineEntity({
  name: 'PluginUpgradeRow',
  tableName: 'plugin_upgrade',
  primaryKeys: ['plugin', 'version', 'overdueSchema'],
  properties: {
    plugin: p.integer().primary().autoincrement(false),
    version: p.text().primary(),
    /** 0 for all records. */
    overdueSchema: p.integer().primary().autoincrement(false),
    /** Null if there was nothing to do. */
    taskId: p.bigint('number').strictNullable(),
    force: p.boolean(),
    state: p.text().$type<UpgradeState>(),
    total: p.integer(),
    done: p.integer().default(0),
    upgraded: p.integer().default(0),
    needsInput: p.integer().default(0),
    unsupported: p.integer().default(0),
    pinned: p.integer().default(0),
    ...authorColumns(),
    startedAt: p.datetime(3),
    finishedAt: p.datetime(3).strictNullable(),
  },
  checks: [
    { name: 'plugin_upgrade_state_check', expression: `state in (${listed(UPGRADE_STATES)})` },
    { name: 'plugin_upgrade_finished_check', expression: `(state = 'running') = (finished_at is null)` },
  ],
});

/** A single row, which caches check for registered and removed plugins. Missing before the first registration. */
export const PluginRegistryRow = defineEntity({
  name: 'PluginRegistryRow',
  tableName: 'plugin_registry',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Counts the registrations and removals of all plugins, and the changes to states of their versions. */
    version: p.bigint('number'),
    /** The highest id that a record was attached to when it was erased with its project. */
    erasedMax: p.integer().default(0),
  },
  checks: [{ name: 'plugin_registry_id_check', expression: 'id = 1' }],
});
