import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ConfigField } from '@plugin-config/domain';

export const PluginRow = defineEntity({
  name: 'PluginRow',
  tableName: 'plugin',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Null if it is removed, as everything else that is registered. What it declared secret stays. */
    name: p.text().strictNullable(),
    description: p.text().strictNullable(),
    url: p.text().strictNullable(),
    icon: p.text().strictNullable(),
    configSchema: p.json<readonly ConfigField[]>().columnType('json').strictNullable(),
    /** The plugin as records show it; null if it is removed. */
    info: p.text().strictNullable(),
    /** The length of `info`. */
    bytes: p
      .integer()
      .formula(({ info }) => `octet_length(${info})`)
      .persist(false),
    /** The version of the registry at its last registration or removal. */
    registryVersion: p.bigint('number'),
    /** Whether new records begin with a configuration. */
    hasDefaults: p.boolean(),
    /** The defaults of secret fields, encrypted; null if there are none. */
    secretDefaults: p.blob().$type<Buffer>().strictNullable(),
    /** Whatever a registration of this id has declared secret. */
    secretNames: p.array().defaultRaw(`'{}'`),
  },
  checks: [
    { name: 'plugin_id_check', expression: 'id >= 1' },
    { name: 'plugin_config_schema_check', expression: `json_typeof(config_schema) = 'array'` },
    { name: 'plugin_removed_check', expression: '(info is null) = (name is null)' },
  ],
});

export type PluginRow = InferEntity<typeof PluginRow>;
