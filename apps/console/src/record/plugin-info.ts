import type { ConfigRecord, Json, JsonObject, PluginField } from '@plugin-config/client';

/** A registered plugin, as embedded in a record. */
export interface PluginInfo {
  readonly name: string;
  readonly description?: string;
  readonly url?: string;
  readonly config_schema?: readonly PluginField[];
}

/** Returns the plugin of a record; null if it is not registered. */
export function pluginInfoOf({ plugin_info }: Pick<ConfigRecord, 'plugin_info'>): PluginInfo | null {
  return plugin_info === null ? null : (JSON.parse(plugin_info) as PluginInfo);
}

export function entriesOf({ config }: Pick<ConfigRecord, 'config'>): ReadonlyMap<string, Json> {
  return new Map(Object.entries(JSON.parse(config) as JsonObject));
}

/** Returns the keys of secrets, whose values the service masks. */
export function secretKeysOf(record: Pick<ConfigRecord, 'plugin_info'>): ReadonlySet<string> {
  const schema = pluginInfoOf(record)?.config_schema ?? [];
  return new Set(schema.filter(({ secret }) => secret === true).map(({ key }) => key));
}

/** Whether a secret is set, judging by its mask or reference. */
export function isSecretSet(shown: Json | undefined): boolean {
  return shown !== undefined && shown !== null && shown !== '';
}
