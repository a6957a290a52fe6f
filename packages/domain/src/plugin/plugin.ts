import type { ConfigField } from '../configuration/config-field.ts';

/** A plugin as registered by the operator. */
export interface Plugin {
  readonly id: number;
  readonly name: string;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly icon?: string | undefined;
  readonly configSchema?: readonly ConfigField[] | undefined;
}

/** Returns the plugin as JSON text, as records show it. */
export function pluginInfo({ configSchema, ...plugin }: Plugin): string {
  return JSON.stringify({ ...plugin, config_schema: configSchema });
}

/** Returns the part of the plugin that a browser may see, as JSON text. */
export function browserPluginInfo({ id, name, icon, url }: Plugin): string {
  return JSON.stringify({ id, name, icon: icon ?? null, url: url ?? null });
}

/** Returns the keys of the secret fields. */
export function secretFields({ configSchema = [] }: Pick<Plugin, 'configSchema'>): readonly string[] {
  return configSchema.filter(({ secret }) => secret === true).map(({ key }) => key);
}
