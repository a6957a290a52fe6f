import type { ConfigRecord } from './config-record.ts';

export function aConfigRecord(given: Partial<ConfigRecord> = {}): ConfigRecord {
  return {
    projectId: 1,
    family: 'plugin_configs',
    id: 11,
    plugin: 7,
    enabled: false,
    order: 3,
    name: 'Name',
    description: null,
    deleted: false,
    config: '{}',
    error: null,
    pluginInfo: null,
    deliveryRate: null,
    createdAt: new Date('2026-01-01T00:00:00.000Z'),
    updatedAt: new Date('2026-01-01T00:00:00.000Z'),
    version: 4,
    configVersion: 1,
    formerPlugins: [],
    registryVersion: null,
    schemaVersion: 1,
    pinnedVersion: null,
    ...given,
  };
}
