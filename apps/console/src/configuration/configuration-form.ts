import type { ConfigRecord, Json, PluginField, PluginVersion } from '@plugin-config/client';
import type { Field, Form } from '../editing/field.ts';
import { ENTRY } from '../record/changes.ts';
import { entriesOf, pluginInfoOf } from '../record/plugin-info.ts';
import { NO_FORM } from '../versions/version-words.ts';

/**
 * Returns the form of a configuration, with a field for each field of the plugin's schema.
 * @param declared the schema with its JSON Schemas, which records do not show; null if it is not available
 */
export function configurationForm(
  record: Pick<ConfigRecord, 'config' | 'plugin_info'>,
  declared?: Pick<PluginVersion, 'config_schema'> | null,
): Form {
  const info = pluginInfoOf(record);
  const schema = info?.config_schema;
  const entries = entriesOf(record);
  const known = new Set(schema?.map(({ key }) => key));
  const others = [...entries].filter(([key]) => !known.has(key));
  const formOf = ({ key, type, secret, hint = '' }: PluginField): Partial<PluginField> => {
    if (type !== 'json' || secret === true) return {};
    if (declared === null) return { hint: `${hint} ${NO_FORM}`.trim() };
    const found = declared?.config_schema?.find((one) => one.key === key);
    return { schema: found?.schema };
  };
  return {
    fields: schemaFields(
      schema?.map((field) => ({ ...field, ...formOf(field) })),
      entries,
    ),
    others: schema !== undefined && others.length === 0 ? null : Object.fromEntries(others),
    othersNote:
      info === null
        ? 'The plugin is not registered, so its settings are unknown. Secrets from an earlier registration are kept.'
        : schema === undefined
          ? 'The plugin does not describe its settings.'
          : 'The plugin has no such settings. Remove them before you save.',
  };
}

/** Returns a field for each field of a plugin's schema, with its stored value. */
export function schemaFields(
  schema: readonly PluginField[] = [],
  entries: ReadonlyMap<string, Json> = new Map(),
): readonly Field[] {
  return schema.map(({ key, name, ...field }) => ({
    ...field,
    name: ENTRY + key,
    label: name ?? key,
    stored: entries.get(key),
  }));
}
