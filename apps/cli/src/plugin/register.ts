import {
  missingSecretKeys,
  registerPlugin,
  sealAttached,
  type Plugin,
  type SealingProgress,
} from '@plugin-config/domain';
import { inform } from '../output.ts';
import { progress } from '../inform-now-and-then.ts';
import { operator } from '../operator.ts';
import { reason } from '../reason.ts';
import type { Services } from '../services.ts';

/** Registers a plugin and reports the progress of sealing the secrets of its records. */
export async function register(services: Services, plugin: Plugin): Promise<void> {
  const missing = await missingSecretKeys(services);
  if (missing.length > 0)
    inform(`SECRETS_KEYS lacks keys that secrets are encrypted with: ${missing.join(', ')}. Add them.`);
  const show = progress((done: number, of: number) => `Sealed the secrets of ${done} of ${of} records.`);
  let last: SealingProgress | undefined;
  try {
    const registered = await registerPlugin(services, plugin, operator(services));
    await sealAttached(services, registered, (now) => {
      last = now;
      if (now.of > 0) show(now.done, now.of);
    });
  } catch (error) {
    throw last === undefined ? error : new Error(unfinished(plugin, last, error), { cause: error });
  }
  const sealed = last?.sealed ?? 0;
  if (sealed > 0)
    inform(
      `Secrets that were stored unencrypted are now sealed in ${sealed} ${sealed === 1 ? 'record' : 'records'}.`,
    );
  inform(`Plugin ${plugin.id} (${JSON.stringify(plugin.name)}) is registered.`);
}

function unfinished({ id }: Plugin, { done, of }: SealingProgress, error: unknown): string {
  return (
    `Plugin ${id} is registered, but its secrets are sealed in only ${done} of ${of} existing ` +
    `records: ${reason(error)} Run the same command again: it continues where it stopped.`
  );
}
