import { browserPluginInfo } from '../plugin/plugin.ts';
import { browserConfiguration } from '../configuration/configuration.ts';
import type { ConfigRecord } from './config-record.ts';
import type { ConfiguredRecord } from './configured-record.ts';

/** Returns the part of a record that a browser may see: no secrets, no error, and only fields marked for the site. */
export function frontendView({ record, secretNames, plugin }: ConfiguredRecord): ConfigRecord {
  return {
    ...record,
    config: browserConfiguration(record.config, { secretNames, plugin }),
    error: null,
    pluginInfo: plugin && browserPluginInfo(plugin),
  };
}
