import { missingSecretKeys, registerPlugin, type Plugin, type SealingProgress } from '@plugin-config/domain';
import { tell } from '../output.ts';
import { progress } from '../progress.ts';
import { reason } from '../reason.ts';
import type { Services } from '../services.ts';

/** Registers a plugin and tells how far the sealing of its records has come. */
export async function register(services: Services, plugin: Plugin): Promise<void> {
  const missing = await missingSecretKeys(services);
  if (missing.length > 0)
    tell(`SECRETS_KEYS lacks keys that secrets are encrypted with: ${missing.join(', ')}. Add them.`);
  const show = progress((done, of) => `Sealed what is secret in ${done} of ${of} records.`);
  let last: SealingProgress | undefined;
  try {
    await registerPlugin(services, plugin, (now) => {
      last = now;
      show(now.done, now.of);
    });
  } catch (error) {
    throw last === undefined ? error : new Error(unfinished(plugin, last, error), { cause: error });
  }
  const sealed = last?.sealed ?? 0;
  if (sealed > 0)
    tell(`Secrets that stood in the clear were sealed in ${sealed} ${sealed === 1 ? 'record' : 'records'}.`);
  tell(`Plugin ${plugin.id} (${JSON.stringify(plugin.name)}) is registered.`);
}

function unfinished({ id }: Plugin, { done, of }: SealingProgress, error: unknown): string {
  return (
    `Plugin ${id} is registered and holds for all that is new, but its secrets are sealed in only ${done} of ${of} ` +
    `records: ${reason(error)} Run the same command again: it goes on where it stopped.`
  );
}
