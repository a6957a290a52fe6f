import { conceal, seedConfiguration } from '../config-record/configuration.ts';
import type { SecretBox } from '../config-record/secret-box.ts';
import { checkSchema } from './check-schema.ts';
import type { ConfigField } from './config-field.ts';
import type { Plugin } from './plugin.ts';
import type { PluginStore } from './plugin-store.ts';

interface Dependencies {
  readonly plugins: PluginStore;
  readonly secretBox: SecretBox;
}

/** Values that the new schema calls secret are sealed at once, in every record that holds them in the clear. */
export async function registerPlugin({ plugins, secretBox }: Dependencies, plugin: Plugin): Promise<void> {
  const schema = plugin.configSchema ?? [];
  checkSchema(schema);
  const told = plugin.configSchema && { configSchema: schema.map(withoutSecret) };
  await plugins.register({ ...plugin, ...told }, seedConfiguration(schema, secretBox), (configuration) =>
    conceal(configuration, schema, secretBox),
  );
}

/** A secret that new records start with is sealed in their seed, and told nowhere. */
function withoutSecret(field: ConfigField): ConfigField {
  return field.secret === true ? { ...field, default: undefined } : field;
}
