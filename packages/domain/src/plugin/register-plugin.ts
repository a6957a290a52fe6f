import { conceal, seedConfiguration } from '../configuration/configuration.ts';
import type { SecretBox } from '../configuration/secret-box.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import type { Plugin } from './plugin.ts';
import type { PluginStore } from './plugin-store.ts';

interface Dependencies {
  readonly plugins: PluginStore;
  readonly secretBox: SecretBox;
}

/** How far the sealing of the attached records has come. */
export interface SealingProgress {
  readonly done: number;
  readonly of: number;
  readonly sealed: number;
}

/**
 * Registers the plugin, then seals in portions what its schema calls secret and attached records still hold in the
 * clear. Whoever is interrupted calls it again with the same plugin: the sealing goes on where it stopped.
 */
export async function registerPlugin(
  { plugins, secretBox }: Dependencies,
  plugin: Plugin,
  onProgress: (progress: SealingProgress) => void = () => undefined,
): Promise<void> {
  const schema = plugin.configSchema ?? [];
  checkSchema(schema);
  const told = { ...plugin, ...(plugin.configSchema && { configSchema: schema.map(withoutSecret) }) };
  const attached = await plugins.register(told, seedConfiguration(schema, secretBox));
  let [done, sealed] = [0, 0];
  for (;;) {
    onProgress({ done, of: Math.max(done, attached), sealed });
    const portion = await plugins.sealNext(told, (stored) => conceal(stored, schema, secretBox));
    if (portion === null) return;
    done += portion.records;
    sealed += portion.sealed;
  }
}

/** A secret that new records start with is sealed in their seed, and told nowhere. */
function withoutSecret(field: ConfigField): ConfigField {
  return field.secret === true ? { ...field, default: undefined } : field;
}
