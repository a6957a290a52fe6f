import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A single row, by which caches notice that a plugin was registered or removed. Missing before the first registration. */
export const PluginRegistryRow = defineEntity({
  name: 'PluginRegistryRow',
  tableName: 'plugin_registry',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** Counts the registrations and removals of all plugins. */
    version: p.bigint('number'),
  },
  checks: [{ name: 'plugin_registry_id_check', expression: 'id = 1' }],
});

export type PluginRegistryRow = InferEntity<typeof PluginRegistryRow>;
