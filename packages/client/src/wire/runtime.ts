import type { JsonObject } from './json.ts';

/** A record that a runtime could not apply. */
export interface FailedRecord {
  readonly id: number;
  readonly error: string;
}

/** What a runtime runs. */
export interface RuntimeReport {
  /** The version that it has, or tried to apply. */
  readonly version: string;
  readonly status: 'applied' | 'failed';
  /** Why it failed. */
  readonly error?: string | null | undefined;
  readonly failed?: readonly FailedRecord[] | undefined;
  /** Whatever tells runtimes apart, such as a region. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** A runtime, as it last reported. */
export interface Runtime {
  readonly instance: string;
  readonly version: string;
  /** Whether it has the current version. */
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

/** An enabled record, with the values of its secrets. */
export interface RuntimeRecord {
  readonly id: number;
  readonly plugin: number;
  /** Null if the plugin is not registered. */
  readonly plugin_name: string | null;
  readonly name: string | null;
  readonly order: number;
  readonly config: JsonObject;
}

/** Everything that a runtime of a family needs. */
export interface RuntimeConfiguration {
  /** Another one whenever something in `results` changes, and only then. */
  readonly version: string;
  readonly results: readonly RuntimeRecord[];
}

export interface RuntimeQuery {
  /** The seconds to wait, 1 to 50, while the version is that of `ifNoneMatch`. */
  readonly wait?: number | undefined;
}
