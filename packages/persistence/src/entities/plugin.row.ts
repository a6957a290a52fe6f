import { defineEntity, p } from '@mikro-orm/core';
import { SLUG, type ConfigField, type JobType } from '@plugin-config/domain';

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

/** A single row, which caches check for registered and removed plugins. Missing before the first registration. */
export const PluginRegistryRow = defineEntity({
  name: 'PluginRegistryRow',
  tableName: 'plugin_registry',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Counts the registrations and removals of all plugins. */
    version: p.bigint('number'),
    /** The highest id that a record was attached to when it was erased with its project. */
    erasedMax: p.integer().default(0),
  },
  checks: [{ name: 'plugin_registry_id_check', expression: 'id = 1' }],
});
