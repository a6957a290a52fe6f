import type { RecordRef } from '../project/family.ts';
import type { ConfiguredRecord } from './configured-record.ts';

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
