import type { SealedSecrets } from '../configuration/configuration.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { ConfigRecord } from './config-record.ts';

/** A record with its stored secrets, and the plugin whose schema its configuration obeys. */
export interface StoredConfiguration {
  readonly record: ConfigRecord;
  readonly secrets: SealedSecrets;
  /** Null if it is not registered. */
  readonly plugin: Plugin | null;
  /** The revision of `plugin`; null if it is not registered. */
  readonly pluginRevision: number | null;
}
