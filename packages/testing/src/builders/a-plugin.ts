import type { Plugin, PluginStore, VersionContent } from '@plugin-config/domain';

export function aPlugin(given: Partial<Plugin> = {}): Plugin {
  return { id: 7, name: 'Plugin', ...given };
}

export async function allPlugins(plugins: PluginStore): Promise<readonly Plugin[]> {
  return (await plugins.page({ limit: 1000, offset: 0 })).items;
}

export function aVersion(given: Partial<VersionContent> = {}): VersionContent {
  return { version: '1.0.0', schemaVersion: 1, migrations: [], examples: [], ...given };
}
