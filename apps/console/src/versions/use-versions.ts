import { PLUGINS_KEY } from '../record/use-plugins.ts';
import { service } from '../shell/service.ts';
import { useRead } from '../ui/queries.tsx';

const LIMIT = 200;

export const versionsKey = (plugin: number) => [...PLUGINS_KEY, plugin, 'versions'] as const;

/** The versions of a registered plugin. The one that was registered last comes first. */
export function useVersions(plugin: number, enabled = true) {
  return useRead(
    versionsKey(plugin),
    async (options) => Array.fromAsync(service.plugins.versions(plugin, { limit: LIMIT }, options)),
    { enabled },
  );
}
