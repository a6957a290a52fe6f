import { registerPlugin, sealAttached, type Plugin, type SealingProgress } from '@plugin-config/domain';
import { anAuthor } from './an-author.ts';

/** Registers a plugin, and seals the records that it is attached to. */
export async function registerAndSeal(
  dependencies: Parameters<typeof registerPlugin>[0],
  plugin: Plugin,
  onProgress?: (progress: SealingProgress) => void,
): Promise<void> {
  const registered = await registerPlugin(dependencies, plugin, anAuthor());
  await sealAttached(dependencies, registered, onProgress);
}
