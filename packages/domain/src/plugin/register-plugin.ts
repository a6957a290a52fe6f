import type { Author } from '../kernel/author.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import type { NewPlugin } from './plugin.ts';
import type { PluginStore, RegisteredPlugin } from './plugin-store.ts';

interface Dependencies {
  readonly plugins: PluginStore;
}

export async function registerPlugin(
  { plugins }: Dependencies,
  plugin: NewPlugin,
  author: Author,
): Promise<RegisteredPlugin> {
  const schema = plugin.configSchema ?? [];
  checkSchema(schema);
  const secretDefaults = schema.flatMap(({ key, secret, default: value }) =>
    secret === true && value != null ? [[key, value] as const] : [],
  );
  const published = { ...plugin, ...(plugin.configSchema && { configSchema: schema.map(withoutSecret) }) };
  return plugins.register(published, new Map(secretDefaults), author);
}

function withoutSecret(field: ConfigField): ConfigField {
  return field.secret === true ? { ...field, default: undefined } : field;
}
