import type { Author } from '../kernel/author.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import type { Plugin } from './plugin.ts';
import type { PluginStore } from './plugin-store.ts';

interface Dependencies {
  readonly plugins: PluginStore;
}

/** Registers a plugin, and returns it as records show it: without the defaults of secret fields. */
export async function registerPlugin(
  { plugins }: Dependencies,
  plugin: Plugin,
  author: Author,
): Promise<Plugin> {
  const schema = plugin.configSchema ?? [];
  checkSchema(schema);
  const secretDefaults = schema.flatMap(({ key, secret, default: value }) =>
    secret === true && value != null ? [[key, value] as const] : [],
  );
  const published = { ...plugin, ...(plugin.configSchema && { configSchema: schema.map(withoutSecret) }) };
  await plugins.register(published, new Map(secretDefaults), author);
  return published;
}

function withoutSecret(field: ConfigField): ConfigField {
  return field.secret === true ? { ...field, default: undefined } : field;
}
