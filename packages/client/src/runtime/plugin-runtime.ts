import type { Pauses } from '../http/retry.ts';
import type { FailedRecord, Family, RuntimeConfiguration } from '../wire.ts';

export interface RuntimeOptions {
  /** The URL of the HTTP app, such as `https://plugins.example.com`. */
  readonly url: string;
  /** A key with the scope `plugin_runtime`. */
  readonly key: string;
  /** The id of a project. `@current` is the first project that the key can access. */
  readonly project: number | '@current' | `ext:${string}`;
  readonly family: Family;
  /** The path of a file that stores the last configuration, encrypted, for starts without the service. Its folder must exist. */
  readonly cacheFile?: string | undefined;
  /** The name of this runtime in its reports, unique within the family. Defaults to the host name. */
  readonly instance?: string | undefined;
  /** Labels that distinguish runtimes, such as a region. Sent with each report. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** How long `openRuntime` keeps trying if there is no file to start from. Defaults to 60,000 ms. */
  readonly startTimeoutMs?: number | undefined;
  /** The timeout of each request, in addition to the requested wait. Defaults to 10,000 ms. */
  readonly timeoutMs?: number | undefined;
  /** The pauses after failures: random up to `baseMs` (1,000), which doubles with each failure up to `maxPauseMs` (60,000). */
  readonly retry?: Partial<Pauses> | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** A configuration whose records are frozen, because all listeners and the file share them. */
export interface CurrentConfiguration extends RuntimeConfiguration {
  /** True if the service could not confirm that this is the current configuration. */
  readonly stale: boolean;
  /** The milliseconds since the service last sent or confirmed it. */
  readonly ageMs: number;
}

export type ChangeListener = (configuration: CurrentConfiguration) => unknown;
export type ErrorListener = (error: Error) => unknown;

/** Follows the configuration of a family and reports whether it was applied. */
export interface PluginRuntime {
  /** Returns the last configuration. If an error has ended the runtime, throws that error. */
  current(): CurrentConfiguration;
  /**
   * Calls the listener with the current configuration, and with each later version. The next version is fetched once the promises
   * of all listeners have settled. Returns a function that removes the listener.
   */
  on(event: 'change', listener: ChangeListener): () => void;
  /** Calls the listener with each error. After an error that ends the runtime, `current()` throws it; otherwise the runtime continues. */
  on(event: 'error', listener: ErrorListener): () => void;
  /** Reports that the configuration was applied. Automatic after the listeners, unless one of them reports or throws. */
  applied(): void;
  /** Reports that the configuration, or some of its records, could not be applied. */
  failed(error: unknown, records?: readonly FailedRecord[]): void;
  /** Cancels all waits and requests. Does not wait for listeners that are still running. */
  close(): Promise<void>;
}
