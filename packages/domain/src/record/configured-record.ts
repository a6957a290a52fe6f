import type { SecretNames, Values } from '../configuration/configuration.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { ConfigRecord } from './config-record.ts';
import type { RecordRef } from '../project/family.ts';

/** A record with its configuration in plain text. */
export interface RecordWithValues {
  readonly record: ConfigRecord;
  /** Everything that its current or a former plugin has ever declared secret. */
  readonly secretNames: SecretNames;
  /** Null if the plugin is not registered. */
  readonly plugin: Plugin | null;
  /** JSON text as stored: including secret values, without defaults. */
  readonly values: string;
  /** The defaults of the plugin's schema, including secrets. */
  readonly defaults: Values;
  readonly jsonSchemas: JsonSchemas;
}

/**
 * Reads secret values. Only configuration changes, job handlers and the runtime feed may use it: everything else gets
 * masked records.
 */
export interface ConfigurationValues {
  of(record: RecordRef): Promise<RecordWithValues | null>;
}
