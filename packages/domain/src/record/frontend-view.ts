import { browserPluginInfo, type Registration } from '../plugin/plugin.ts';
import { browserConfiguration } from '../configuration/configuration.ts';
import type { ConfigRecord } from './config-record.ts';

/** Returns the part of a record that a browser may see: no secrets, no error, and only fields marked for the site. */
export function frontendView(
  record: ConfigRecord,
  { secretNames, plugin }: Pick<Registration, 'secretNames' | 'plugin'>,
): ConfigRecord {
  return {
    ...record,
    config: browserConfiguration(record.config, { secretNames, plugin }),
    error: null,
    pluginInfo: plugin && browserPluginInfo(plugin),
  };
}
