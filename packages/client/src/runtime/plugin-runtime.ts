import type { Pauses } from '../http/retry.ts';
import type { Family } from '../wire/family.ts';
import type { FailedRecord, RuntimeConfiguration } from '../wire/runtime.ts';

export interface RuntimeOptions {
  /** The address of the HTTP app, such as `https://plugins.example.com`. */
  readonly url: string;
  /** A key with the scope `plugin_runtime`. */
  readonly key: string;
  /** A project by its id. `@current` is the only project of the key. */
  readonly project: number | '@current';
  readonly family: Family;
  /** Keeps the last configuration, encrypted, for starts without the service. Its folder must exist. */
  readonly cacheFile?: string | undefined;
  /** The name of this runtime in its reports, unique within the family: by default that of the host. */
  readonly instance?: string | undefined;
  /** Sent with each report: whatever tells runtimes apart, such as a region. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** How long `openRuntime` keeps trying without a file to start from: 60,000 ms by default. */
  readonly startTimeoutMs?: number | undefined;
  /** The time for each response, beyond what the service was asked to wait: 10,000 ms by default. */
  readonly timeoutMs?: number | undefined;
  /** The pauses after failures: random up to `baseMs` (1,000), which doubles each time up to `maxPauseMs` (60,000). */
  readonly retry?: Partial<Pauses> | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** The records are frozen: they go to every listener, and into the file. */
export interface CurrentConfiguration extends RuntimeConfiguration {
  /** True while the service cannot confirm that this is its configuration. */
  readonly stale: boolean;
  /** The milliseconds since the service sent or confirmed it last. */
  readonly ageMs: number;
}

export type ChangeListener = (configuration: CurrentConfiguration) => unknown;
export type ErrorListener = (error: Error) => unknown;

/** Follows the configuration of a family, and reports what became of it. */
export interface PluginRuntime {
  /** Returns the last configuration. Throws the error that ended the runtime, if one did. */
  current(): CurrentConfiguration;
  /**
   * Calls the listener with the current configuration, and with each later version. The next version is fetched once the promises
   * of all listeners have settled. Returns a function that removes the listener.
   */
  on(event: 'change', listener: ChangeListener): () => void;
  /** Calls the listener with everything that goes wrong. The runtime goes on, unless `current()` throws the error from then on. */
  on(event: 'error', listener: ErrorListener): () => void;
  /** Reports that the configuration runs. Happens by itself after the listeners, unless one of them reports or throws. */
  applied(): void;
  /** Reports that the configuration, or some of its records, could not be applied. */
  failed(error: unknown, records?: readonly FailedRecord[]): void;
  /** Ends every wait and request. Resolves when nothing is left of the runtime but a listener that still runs. */
  close(): Promise<void>;
}
