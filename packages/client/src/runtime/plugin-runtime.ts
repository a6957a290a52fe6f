import type { Pauses } from '../http/retry.ts';
import type {
  FailedProjectRecord,
  FailedRecord,
  Family,
  JsonObject,
  RuntimeConfiguration,
  RuntimeRecord,
  RuntimeReport,
} from '../wire.ts';
import type { JobHandlers, JobRunner, JobsOptions } from './plugin-job.ts';

export interface FollowingOptions {
  /** The URL of the HTTP app, such as `https://plugins.example.com`. */
  readonly url: string;
  /** A key with the scope `plugin_runtime`. */
  readonly key: string;
  readonly family: Family;
  /** The path of a file that stores the last configuration, encrypted, for starts without the service. Its folder must exist. */
  readonly cacheFile?: string | undefined;
  /** The name of this runtime in its reports, unique within the family. Defaults to the host name. */
  readonly instance?: string | undefined;
  /** Labels that distinguish runtimes, such as a region. Sent with each report. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The plugins that this runtime runs, by id or slug, and the versions of their schemas that it understands. Sent with each report. */
  readonly runs?: RuntimeReport['plugins'];
  /** How long `openRuntime` keeps trying if there is no file to start from. Defaults to 60,000 ms. */
  readonly startTimeoutMs?: number | undefined;
  /** The timeout of each request, in addition to the requested wait. Defaults to 10,000 ms. */
  readonly timeoutMs?: number | undefined;
  /** The pauses after failures: random up to `baseMs` (1,000), which doubles with each failure up to `maxPauseMs` (60,000). */
  readonly retry?: Partial<Pauses> | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface RuntimeOptions extends FollowingOptions {
  /** The id of a project. `@current` is the first project that the key can access. */
  readonly project: number | '@current' | `ext:${string}`;
}

export interface ProjectsRuntimeOptions extends FollowingOptions {
  /** Follows all projects that the key can access. */
  readonly projects: 'all';
  /** Follows only the versions of the projects, and fetches a configuration when `project()` is called. */
  readonly load?: 'lazy' | undefined;
  /** Only records of these plugins. */
  readonly plugins?: readonly (number | `slug:${string}`)[] | undefined;
  /** Only the projects whose id, divided by the second number (at most 1,024), leaves the first: `0/4`, `1/4` … */
  readonly shard?: `${number}/${number}` | undefined;
}

/** A configuration whose records are frozen, because all listeners and the file share them. */
export interface CurrentConfiguration extends RuntimeConfiguration {
  /** True if the service could not confirm that this is the current configuration. */
  readonly stale: boolean;
  /** The milliseconds since the service last sent or confirmed it. */
  readonly ageMs: number;
}

/** The version of a project that has or had enabled records. */
export interface ProjectVersion {
  readonly project_id: number;
  readonly external_id: string | null;
  /** Changes if and only if the enabled records do. Null with an `error`, and for a project that is gone. */
  readonly version: string | null;
  /** `too_large` if the project has too many enabled records for the service to send. */
  readonly error: 'too_large' | null;
}

/** The configuration of a project, frozen. */
export interface ProjectConfiguration extends ProjectVersion {
  /** The enabled records in order. With an `error`, the last records that the service sent. */
  readonly results: readonly RuntimeRecord[];
}

/** A change to a project. If it is gone, it was deleted or the key has lost it, and it has no records. */
export type Changed<Project extends ProjectVersion> = Project & { readonly gone: boolean };

/** The id of a project, or `ext:` and its external id. */
export type ProjectId = number | `ext:${string}`;

export interface SecretsOptions {
  /** Whether to store the secrets even if the configuration of the record has changed. By default, that is an error. */
  readonly overwrite?: boolean | undefined;
  /** Gives up, for instance after some time. */
  readonly signal?: AbortSignal | undefined;
}

export type ChangeListener<Change> = (change: Change) => unknown;
export type ErrorListener = (error: Error) => unknown;

/** Follows a service and reports whether what it sends was applied. */
export interface FollowingRuntime<Change, Failed> {
  /**
   * Calls the listener with the current state, and then with each change. The next change is fetched once the promises of all
   * listeners have settled. Returns a function that removes the listener.
   */
  on(event: 'change', listener: ChangeListener<Change>): () => void;
  /** Calls the listener with each error. After an error that ends the runtime, reading throws it; otherwise the runtime continues. */
  on(event: 'error', listener: ErrorListener): () => void;
  /** Reports that everything was applied. Automatic after the listeners, unless one of them reports or throws. */
  applied(): void;
  /** Reports that the configuration, or some of its records, could not be applied. */
  failed(error: unknown, records?: readonly Failed[]): void;
  /**
   * Does jobs of plugins, and tests configurations, of all projects that the key can access, until the runtime is closed. If the
   * service denies the key jobs, emits the error and takes no more.
   */
  jobs(handlers: JobHandlers, options?: JobsOptions): JobRunner;
  /** Cancels all waits and requests. Does not wait for listeners that are still running, but for jobs, which are aborted. */
  close(): Promise<void>;
}

/** Follows the configuration of a family in one project. */
export interface PluginRuntime extends FollowingRuntime<CurrentConfiguration, FailedRecord> {
  /** Returns the last configuration. If an error has ended the runtime, throws that error. */
  current(): CurrentConfiguration;
  /**
   * Stores secrets that the plugin has changed, such as a refresh token that can be used once, in entries that the schema marks
   * `runtime_writable`. Resolves to the record with the new values. Listeners are not called. While the service is unavailable, tries
   * again. Rejects with `precondition_failed` if the configuration of the record is not the one in `record` any more.
   */
  setSecrets(record: RuntimeRecord, secrets: JsonObject, options?: SecretsOptions): Promise<RuntimeRecord>;
}

interface AnyProjectsRuntime<Project extends ProjectVersion> extends FollowingRuntime<
  readonly Changed<Project>[],
  FailedProjectRecord
> {
  /** True if the service could not confirm that this is the current state of all projects. */
  readonly stale: boolean;
  /** The milliseconds since the service last confirmed it. */
  readonly ageMs: number;
  /** As for a runtime of one project. */
  setSecrets(
    projectId: number,
    record: RuntimeRecord,
    secrets: JsonObject,
    options?: SecretsOptions,
  ): Promise<RuntimeRecord>;
}

/** Follows the configurations of a family in all projects. */
export interface ProjectsRuntime extends AnyProjectsRuntime<ProjectConfiguration> {
  /** Returns the last configuration; null if there is none. If an error has ended the runtime, throws that error. */
  project(id: ProjectId): ProjectConfiguration | null;
}

/** Follows the versions of all projects, and fetches a configuration when it is needed. */
export interface LazyProjectsRuntime extends AnyProjectsRuntime<ProjectVersion> {
  /**
   * Resolves to a configuration that is not older than the last known version; null if there is none. If the service is unavailable,
   * resolves to the last configuration that was fetched, and rejects if there is none.
   */
  project(id: ProjectId): Promise<ProjectConfiguration | null>;
}
