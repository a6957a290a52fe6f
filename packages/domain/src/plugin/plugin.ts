import { DomainError } from '../kernel/domain-error.ts';
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

/** The error of a registration that another one has replaced. */
export function registeredAgain({ id }: Plugin): DomainError {
  const message = `Plugin ${id} was registered again or removed meanwhile. That registration seals its records.`;
  return new DomainError('busy', message);
}
