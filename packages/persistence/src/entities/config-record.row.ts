import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ConfigFamilyRow } from './config-family.row.ts';

export const ConfigRecordRow = defineEntity({
  name: 'ConfigRecordRow',
  tableName: 'config_record',
  properties: {
    id: p.bigint('number').primary().generated('by default as identity'),
    family: p
      .manyToOne(ConfigFamilyRow)
      .joinColumns('project_id', 'family')
      .createForeignKeyConstraint(false),
    plugin: p.integer(),
    /** The plugins that the record was attached to before. */
    formerPlugins: p
      .array((id) => Number(id))
      .columnType('integer[]')
      .defaultRaw(`'{}'`),
    enabled: p.boolean(),
    position: p.integer(),
    name: p.text().strictNullable(),
    description: p.text().strictNullable(),
    /** Encrypted; null for an empty configuration. */
    config: p.blob().strictNullable(),
    error: p.text().strictNullable(),
    deliveryRate: p.text().strictNullable(),
    deleted: p.boolean(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    version: p.bigint('number'),
    configVersion: p.bigint('number').defaultRaw('1'),
    familyVersion: p.bigint('number').defaultRaw('1'),
    /** The number of the current revision. */
    revision: p.bigint('number').defaultRaw('1'),
    /** The author of the current revision; null if it is older than this column. */
    revisionAt: p.datetime(3).strictNullable(),
    revisionKeyId: p.bigint('number').strictNullable(),
    revisionLabel: p.text().strictNullable(),
    revisionRequestId: p.text().strictNullable(),
  },
  indexes: [
    { name: 'config_record_place_index', properties: ['family', 'deleted', 'position', 'id'] },
    { name: 'config_record_plugin_index', properties: ['plugin', 'family', 'id'] },
  ],
  checks: [
    { name: 'config_record_plugin_check', expression: 'plugin >= 1' },
    { name: 'config_record_position_check', expression: 'position >= 0' },
    { name: 'config_record_name_check', expression: 'char_length(name) <= 400' },
    { name: 'config_record_description_check', expression: 'char_length(description) <= 1000' },
    { name: 'config_record_delivery_rate_check', expression: `delivery_rate ~ '^(0\\.[0-9]{4}|1\\.0000)$'` },
    { name: 'config_record_deleted_check', expression: 'not (deleted and enabled)' },
    { name: 'config_record_version_check', expression: 'version >= 1' },
  ],
});

export type ConfigRecordRow = InferEntity<typeof ConfigRecordRow>;
