import type { ConfigRecord } from '@plugin-config/client';

const NAMES = new WeakMap<ConfigRecord, string>();

/** Returns the registered name of a record's plugin, or its number. */
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
