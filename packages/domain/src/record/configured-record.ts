import type { SecretNames } from '../configuration/configuration.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { ConfigRecord } from './config-record.ts';

/** A record, and what decides how its configuration is shown. */
export interface ConfiguredRecord {
  readonly record: ConfigRecord;
  /** What is secret in it: whatever its plugin, or one that it was attached to before, has ever declared secret. */
  readonly secretNames: SecretNames;
  /** Null if the plugin is not registered. */
  readonly plugin: Plugin | null;
}
