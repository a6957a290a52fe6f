import type { ConfigRecord } from '@plugin-config/client';

const NAMES = new WeakMap<ConfigRecord, string>();

/** The name under which the plugin of a record is registered; its number if it is not registered. */
export function pluginName(record: ConfigRecord): string {
  const known = NAMES.get(record);
  if (known !== undefined) return known;
  const name =
    record.plugin_info === null
      ? `Plugin ${record.plugin}`
      : (JSON.parse(record.plugin_info) as { readonly name: string }).name;
  NAMES.set(record, name);
  return name;
}

export const recordName = ({ id, name }: ConfigRecord): string => name?.trim() || `Record ${id}`;
