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

/** The progress of sealing the attached records. */
export interface SealingProgress {
  readonly done: number;
  readonly of: number;
  readonly sealed: number;
}

/**
 * Registers the plugin, then seals secrets that attached records still hold as plain text, in portions. After an
 * interruption, a call with the same plugin continues where the sealing stopped.
 */
export async function registerPlugin(
  { plugins, secretBox }: Dependencies,
  plugin: Plugin,
  onProgress: (progress: SealingProgress) => void = () => undefined,
): Promise<void> {
  const schema = plugin.configSchema ?? [];
  checkSchema(schema);
  const published = { ...plugin, ...(plugin.configSchema && { configSchema: schema.map(withoutSecret) }) };
  const attached = await plugins.register(published, seedConfiguration(schema, secretBox));
  let [done, sealed] = [0, 0];
  for (;;) {
    onProgress({ done, of: Math.max(done, attached), sealed });
    const portion = await plugins.sealNext(published, (stored) => conceal(stored, schema, secretBox));
    if (portion === null) return;
    done += portion.records;
    sealed += portion.sealed;
  }
}

/** Removes a secret default: it is sealed in the seed of new records and shown nowhere. */
function withoutSecret(field: ConfigField): ConfigField {
  return field.secret === true ? { ...field, default: undefined } : field;
}
