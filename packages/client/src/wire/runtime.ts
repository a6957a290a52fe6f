import type { JsonObject } from './json.ts';

/** A record that a runtime could not apply. */
export interface FailedRecord {
  readonly id: number;
  readonly error: string;
}

/** The state of a runtime. */
export interface RuntimeReport {
  /** The version that the runtime applied or tried to apply. */
  readonly version: string;
  readonly status: 'applied' | 'failed';
  /** Why it failed. */
  readonly error?: string | null | undefined;
  readonly failed?: readonly FailedRecord[] | undefined;
  /** Labels that distinguish runtimes, such as a region. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** A runtime as last reported. */
export interface Runtime {
  readonly instance: string;
  readonly version: string;
  /** Whether it runs the current version. */
  readonly current: boolean;
  /** Whether it has reported within the last 3 minutes. */
  readonly online: boolean;
  readonly status: 'applied' | 'failed';
  readonly error: string | null;
  readonly failed: readonly FailedRecord[];
  readonly labels: Readonly<Record<string, string>>;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

/** An enabled record with the values of its secrets. */
export interface RuntimeRecord {
  readonly id: number;
  readonly plugin: number;
  /** Null if the plugin is not registered. */
  readonly plugin_name: string | null;
  readonly name: string | null;
  readonly order: number;
  readonly config: JsonObject;
}

/** Everything that a runtime needs, including secrets. */
export interface RuntimeConfiguration {
  /** Changes if and only if `results` changes. */
  readonly version: string;
  readonly results: readonly RuntimeRecord[];
}

export interface RuntimeQuery {
  /** The seconds to wait, 1 to 50, for a version other than that of `ifNoneMatch`. */
  readonly wait?: number | undefined;
}
