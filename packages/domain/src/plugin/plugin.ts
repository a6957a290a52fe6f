import type { ConfigField } from '../configuration/config-field.ts';

/** The registration of a plugin by the operator. */
export interface Plugin {
  readonly id: number;
  readonly name: string;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly icon?: string | undefined;
  readonly configSchema?: readonly ConfigField[] | undefined;
}

/** The plugin as JSON text, as records show it. */
export function pluginInfo({ configSchema, ...plugin }: Plugin): string {
  return JSON.stringify({ ...plugin, config_schema: configSchema });
}

/** The part of the plugin that a browser may see, as JSON text. */
export function browserPluginInfo({ id, name, icon, url }: Plugin): string {
  return JSON.stringify({ id, name, icon: icon ?? null, url: url ?? null });
}

/** The keys of the secret fields. */
export function secretFields({ configSchema = [] }: Pick<Plugin, 'configSchema'>): readonly string[] {
  return configSchema.filter(({ secret }) => secret === true).map(({ key }) => key);
}
