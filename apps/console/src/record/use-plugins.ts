import { service } from '../shell/service.ts';
import { useRead } from '../ui/queries.tsx';

/** The query key prefix of the plugin registry. */
export const PLUGINS_KEY = ['plugins'];

/** All registered plugins. */
export function usePlugins(isEnabled = true) {
  return useRead(
    [...PLUGINS_KEY, 'all'],
    async (options) => Array.fromAsync(service.plugins.list({ limit: 1000 }, options)),
    { enabled: isEnabled },
  );
}

/** A registered plugin, as a form begins with it. */
export function usePlugin(id: number, enabled = true) {
  return useRead([...PLUGINS_KEY, id], async (options) => service.plugins.retrieve(id, options), {
    enabled,
    refetchOnWindowFocus: false,
  });
}
