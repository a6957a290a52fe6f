import type { Configured } from '../configuration/configuration.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { ConfigRecord } from './config-record.ts';
import type { RecordRef } from '../project/family.ts';

/** A record with its configuration in plain text. Everything that a former plugin has ever declared secret is secret, too. */
export interface RecordWithValues extends Configured {
  readonly record: ConfigRecord;
  readonly plugin: Plugin | null;
}

/**
 * Reads secret values. Only configuration changes, job handlers and the runtime feed may use it: everything else gets
 * masked records.
 */
export interface ConfigurationValues {
  of(record: RecordRef): Promise<RecordWithValues | null>;
}
