import type { Plugin } from '@plugin-config/domain';

export function aPlugin(given: Partial<Plugin> = {}): Plugin {
  return { id: 7, name: 'Plugin', ...given };
}
