import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ConfigField } from '@plugin-config/domain';

export const PluginRow = defineEntity({
  name: 'PluginRow',
  tableName: 'plugin',
  properties: {
    id: p.integer().primary().autoincrement(false),
    name: p.text(),
    description: p.text().strictNullable(),
    url: p.text().strictNullable(),
    icon: p.text().strictNullable(),
    configSchema: p.json<readonly ConfigField[]>().columnType('json').strictNullable(),
    /** The plugin as records show it. */
    info: p.text(),
    /** The length of `info`. */
    bytes: p
      .integer()
      .formula(({ info }) => `octet_length(${info})`)
      .persist(false),
    /** A new number for each registration. */
    revision: p.bigint('number'),
    /** The seed of new records. */
    seedConfig: p.text(),
    seedSecrets: p.json<Readonly<Record<string, string>>>().columnType('json'),
    /**
     * The last record, by project, family and id, whose configuration is sealed as the schema asks; 0 before the first, null
     * after the last one.
     */
    sealedUpTo: p.bigint('number').strictNullable(),
  },
  checks: [
    { name: 'plugin_id_check', expression: 'id >= 1' },
    { name: 'plugin_config_schema_check', expression: `json_typeof(config_schema) = 'array'` },
    { name: 'plugin_seed_secrets_check', expression: `json_typeof(seed_secrets) = 'object'` },
  ],
});

export type PluginRow = InferEntity<typeof PluginRow>;
