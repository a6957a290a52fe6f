import { DomainError } from '../kernel/domain-error.ts';
import type { ConfigField } from '../configuration/config-field.ts';

/** What operators register about a plugin. */
export interface Plugin {
  readonly id: number;
  readonly name: string;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly icon?: string | undefined;
  readonly configSchema?: readonly ConfigField[] | undefined;
}

/** The JSON text that records show of their plugin. */
export function pluginInfo({ configSchema, ...plugin }: Plugin): string {
  return JSON.stringify({ ...plugin, config_schema: configSchema });
}

/** As much of it as a browser may hold. */
export function browserPluginInfo({ id, name, icon, url }: Plugin): string {
  return JSON.stringify({ id, name, icon: icon ?? null, url: url ?? null });
}

/** The entries of a configuration that the plugin calls secret. */
export function secretKeys({ configSchema = [] }: Plugin): readonly string[] {
  return configSchema.filter(({ secret }) => secret === true).map(({ key }) => key);
}

/** The end of a command whose registration another one has replaced. */
export function registeredAnew({ id }: Plugin): DomainError {
  const message = `Plugin ${id} was registered anew or removed by somebody else meanwhile: its records are left to that.`;
  return new DomainError('busy', message);
}
