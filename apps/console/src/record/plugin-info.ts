import type { ConfigRecord, Json, JsonObject, RegisteredPlugin } from '@plugin-config/client';

/** A registered plugin, as embedded in a record. */
export type PluginInfo = Omit<RegisteredPlugin, 'id'>;

const INFOS = new WeakMap<object, PluginInfo>();

/** Returns the plugin of a record; null if it is not registered. */
export function pluginInfoOf(record: Pick<ConfigRecord, 'plugin_info'>): PluginInfo | null {
  if (record.plugin_info === null) return null;
  const info = INFOS.get(record) ?? (JSON.parse(record.plugin_info) as PluginInfo);
  INFOS.set(record, info);
  return info;
}

/** Returns the registered name of a record's plugin, or its number. */
export const pluginName = (record: ConfigRecord): string =>
  pluginInfoOf(record)?.name ?? `Plugin ${record.plugin}`;

/** Returns the name of a record: if it has none, that of its registered plugin and its id, as in payloads of webhooks. */
export function recordName(record: ConfigRecord): string {
  return record.name?.trim() || `${pluginInfoOf(record)?.name ?? 'Record'} ${record.id}`;
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
