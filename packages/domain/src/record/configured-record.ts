import type { SecretNames } from '../configuration/configuration.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { ConfigRecord } from './config-record.ts';
import type { RecordRef } from '../project/family.ts';

/** A record, and what decides how its configuration is shown. */
export interface ConfiguredRecord {
  readonly record: ConfigRecord;
  /** What is secret in it: whatever its plugin, or one that it was attached to before, has ever declared secret. */
  readonly secretNames: SecretNames;
  /** Null if the plugin is not registered. */
  readonly plugin: Plugin | null;
}

/** A record with the values of its configuration, secrets included. */
export interface RecordWithValues extends ConfiguredRecord {
  /** JSON text with the values of secrets. */
  readonly values: string;
}

/**
 * Reads the values of secrets. Only what changes a configuration, the handlers of jobs and the runtimes of plugins may use
 * it: everything else gets records as they are shown.
 */
export interface ConfigurationValues {
  of(record: RecordRef): Promise<RecordWithValues | null>;
}
