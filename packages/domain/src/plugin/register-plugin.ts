import type { Author } from '../kernel/author.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import type { Plugin } from './plugin.ts';
import type { PluginStore, RecordCounts } from './plugin-store.ts';

interface Dependencies {
  readonly plugins: PluginStore;
}

/** The plugin as records show it, without the defaults of secret fields, and its records. */
interface RegisteredPlugin extends Plugin {
  readonly records: RecordCounts;
}

export async function registerPlugin(
  { plugins }: Dependencies,
  plugin: Plugin,
  author: Author,
): Promise<RegisteredPlugin> {
  const schema = plugin.configSchema ?? [];
  checkSchema(schema);
  const secretDefaults = schema.flatMap(({ key, secret, default: value }) =>
    secret === true && value != null ? [[key, value] as const] : [],
  );
  const published = { ...plugin, ...(plugin.configSchema && { configSchema: schema.map(withoutSecret) }) };
  const records = await plugins.register(published, new Map(secretDefaults), author);
  return { ...published, records };
}

function withoutSecret(field: ConfigField): ConfigField {
  return field.secret === true ? { ...field, default: undefined } : field;
}
