import type { Author } from '../kernel/author.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import { conceal, seedConfiguration } from '../configuration/configuration.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import type { SecretBox } from '../configuration/secret-box.ts';
import { DomainError } from '../kernel/domain-error.ts';
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
 * Registers the plugin, as records show it. Resolves to it, with the number of attached records that may still hold
 * secrets as plain text. `sealAttached` seals them.
 */
export async function registerPlugin(
  { plugins, secretBox }: Dependencies,
  plugin: Plugin,
  author: Author,
): Promise<{ readonly plugin: Plugin; readonly unsealed: number }> {
  const schema = plugin.configSchema ?? [];
  checkSchema(schema);
  const published = { ...plugin, ...(plugin.configSchema && { configSchema: schema.map(withoutSecret) }) };
  const unsealed = await plugins.register(published, seedConfiguration(schema, secretBox), author);
  return { plugin: published, unsealed };
}

/**
 * Seals the secrets that attached records still hold as plain text, in portions. After an interruption, another call
 * continues where the sealing stopped.
 */
export async function sealAttached(
  { plugins, secretBox }: Dependencies,
  { plugin, unsealed = 0 }: { readonly plugin: Plugin; readonly unsealed?: number },
  onProgress: (progress: SealingProgress) => void = () => undefined,
): Promise<void> {
  const schema = plugin.configSchema ?? [];
  let [done, sealed] = [0, 0];
  for (;;) {
    onProgress({ done, of: Math.max(done, unsealed), sealed });
    const portion = await plugins.sealNext(plugin, (stored) => conceal(stored, schema, secretBox));
    if (portion === null) return;
    done += portion.records;
    sealed += portion.sealed;
  }
}

/**
 * Finishes what registrations and removals have left: raises revisions, and seals the attached records of all plugins. One that
 * fails does not keep the others from it.
 * @throws the last failure
 */
export async function finishRegistrations(dependencies: Dependencies): Promise<void> {
  const { plugins } = dependencies;
  const failures: unknown[] = [];
  const note = (error: unknown): void => void failures.push(error);
  await plugins.raiseLeft().catch(note);
  for (const id of await plugins.unfinished()) {
    const plugin = await plugins.find(id);
    if (plugin === null) continue;
    await sealAttached(dependencies, { plugin }).catch(unlessReplaced).catch(note);
  }
  if (failures.length > 0) throw failures.at(-1);
}

/** Another registration seals its records itself. */
function unlessReplaced(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'busy') throw error;
}

/** Removes a secret default: it is sealed in the seed of new records and shown nowhere. */
function withoutSecret(field: ConfigField): ConfigField {
  return field.secret === true ? { ...field, default: undefined } : field;
}
