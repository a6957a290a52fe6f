import { browserPluginInfo } from '../plugin/plugin.ts';
import { browserConfiguration } from '../configuration/configuration.ts';
import type { ConfigRecord } from './config-record.ts';
import type { StoredConfiguration } from './stored-configuration.ts';

/** The part of a record that a browser may see: no secret, no error, only fields marked for the site. */
export function frontendView(stored: StoredConfiguration): ConfigRecord {
  return {
    ...stored.record,
    config: browserConfiguration(stored),
    error: null,
    pluginInfo: stored.plugin && browserPluginInfo(stored.plugin),
  };
}
