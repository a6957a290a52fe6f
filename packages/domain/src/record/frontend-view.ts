import { browserPluginInfo } from '../plugin/plugin.ts';
import { browserConfiguration } from '../configuration/configuration.ts';
import type { ConfigRecord } from './config-record.ts';
import type { StoredConfiguration } from './stored-configuration.ts';

/** The record as a browser may hold it: no secret, no error, only what its plugin marks for the site. */
export function frontendView(stored: StoredConfiguration): ConfigRecord {
  return {
    ...stored.record,
    config: browserConfiguration(stored),
    error: null,
    pluginInfo: stored.plugin && browserPluginInfo(stored.plugin),
  };
}
