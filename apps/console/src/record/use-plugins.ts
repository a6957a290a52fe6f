import { service } from '../shell/service.ts';
import { useRead } from '../ui/queries.tsx';

/** All registered plugins. */
export function usePlugins(isEnabled = true) {
  return useRead(
    ['plugins', 'all'],
    async (options) => Array.fromAsync(service.plugins.list({ limit: 1000 }, options)),
    { enabled: isEnabled },
  );
}
