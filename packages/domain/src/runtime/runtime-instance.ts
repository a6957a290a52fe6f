import { DomainError } from '../kernel/domain-error.ts';
import { storableText } from '../log/storable-text.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { KeyGrant } from '../access/api-key.ts';
import type { FamilyRef } from '../project/family.ts';
import type { ProjectSubject } from '../project/subject.ts';
import type { Family, RuntimeStatus } from '../vocabulary/vocabulary.ts';
import type { FeedPosition, Shard } from './feed-cursor.ts';

const ERROR_MAX = 10_000;
/** The maximum number of runtimes of a family, and of hosts of an account. */
export const RUNTIMES_MAX = 1000;
/** An identical report is not stored again within this time. */
export const REPORT_REST_MS = 20_000;
/** A runtime is deleted this long after its last report. */
export const RUNTIME_KEPT_MS = 24 * 60 * 60_000;
/** Allows for three missed reports: a runtime reports every minute. */
export const ONLINE_MS = 3 * 60_000;
const RETRY_AFTER_SECONDS = 60;

/** A record that a runtime could not apply. */
export interface FailedRecord {
  readonly id: number;
  readonly error: string;
}

export interface ReportedState<Failed = FailedRecord> {
  readonly status: RuntimeStatus;
  readonly error: string | null;
  readonly failed: readonly Failed[];
  readonly labels: Readonly<Record<string, string>>;
  /** The plugins that it runs, by id or slug; null if it does not say. */
  readonly plugins: Readonly<Record<string, RunningPlugin>> | null;
}

/** A plugin as a runtime runs it. */
export interface RunningPlugin {
  readonly version: string;
  /** The schemas that it understands. */
  readonly schemas: number[];
}

/** An online runtime or host that names a plugin in its last report. */
export interface PluginRuntime extends Pick<RuntimeInstance, 'instance'> {
  readonly family: Family;
  /** Its own project, or those of a host; empty for all. */
  readonly projectIds: readonly number[];
  /** It serves the projects whose id, divided by `of`, leaves `index`. */
  readonly shard: Shard;
  /** The schema versions of the plugin that it understands. */
  readonly schemas: readonly number[];
}

export interface RuntimeReport extends ReportedState {
  /** The version that the runtime has applied, or tried to apply. */
  readonly version: string;
}

/** A runtime, or a host of several projects, and its last report. */
export interface RuntimeInstance extends ReportedState {
  readonly instance: string;
  /** The plugins that its key is limited to; empty for all. */
  readonly pluginIds: readonly number[];
  /** Null for a host, which reports how far it has read the feed instead. */
  readonly version: string | null;
  /** Whether a host has read the last change of the family; false for a runtime. */
  readonly hasReadAll: boolean;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

export interface ProjectRuntime extends RuntimeInstance {
  /** Null for a host of several projects. */
  readonly project: ProjectSubject | null;
  readonly family: Family;
}

/** Truncates the errors of a report. */
export function boundReport<Report extends Pick<ReportedState, 'error' | 'failed'>>(report: Report): Report {
  const { error, failed } = report;
  return {
    ...report,
    error: error === null ? null : boundError(error),
    failed: failed.map((record) => ({ ...record, error: boundError(record.error) })),
  };
}

/** Truncates an error that a runtime sends. */
export function boundError(error: string): string {
  return storableText(error, ERROR_MAX);
}

export function isOnline({ lastSeenAt }: Pick<RuntimeInstance, 'lastSeenAt'>, at: Date): boolean {
  return lastSeenAt >= onlineSince(at);
}

/** Returns the time of the earliest last report of a runtime that is online. */
export function onlineSince(at: Date): Date {
  return new Date(at.getTime() - ONLINE_MS);
}

export function tooManyRuntimes(): DomainError {
  const message = `The family has ${RUNTIMES_MAX} runtimes, which is the maximum. A runtime that no longer reports is deleted after 24 hours, or when you delete it.`;
  return new DomainError('throttled', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

export function tooManyHosts(): DomainError {
  const message = `The account has ${RUNTIMES_MAX} hosts of this family, which is the maximum. A host that no longer reports is deleted after 24 hours.`;
  return new DomainError('throttled', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** A report, with the time it was received. */
export interface ReceivedReport {
  readonly family: FamilyRef;
  readonly instance: string;
  /** The plugins that its key is limited to; empty or absent for all. */
  readonly pluginIds?: readonly number[];
  readonly report: RuntimeReport;
  readonly at: Date;
}

/** A record of one of its projects that a host could not apply. */
export interface FailedRecordOfProject extends FailedRecord {
  readonly projectId: number;
}

/** The report of a host: a runtime for the projects of its key and its shard. */
export interface HostReport {
  readonly family: Family;
  readonly instance: string;
  readonly key: Pick<KeyGrant, 'accountId' | 'projectIds' | 'pluginIds'>;
  readonly shard: Shard | null;
  /** How far the host has read the feed; null if it is unknown, or during its first synchronisation. */
  readonly since: FeedPosition | null;
  readonly report: ReportedState<FailedRecordOfProject>;
  readonly at: Date;
}

export interface RuntimeStore {
  /**
   * Stores a report, unless an identical one was stored within `REPORT_REST_MS`. Drops failed records that the family
   * does not have, or of other plugins. Runtimes whose keys are limited to different plugins are different, even by the same name.
   * @throws DomainError `throttled` if the runtime is new and the family has `RUNTIMES_MAX` of them
   */
  report(received: ReceivedReport): Promise<void>;
  /**
   * Stores the report of a host. Drops failed records that the key cannot read.
   * @throws DomainError `throttled` if the host is new and the account has `RUNTIMES_MAX` of them
   */
  reportHost(report: HostReport): Promise<void>;
  /**
   * Returns one page of the runtimes of a family and of the hosts that serve it, sorted by name. If a record of the family is
   * given, returns only those that could not apply it.
   */
  page(family: FamilyRef, page: PageRequest, failed?: number): Promise<Page<RuntimeInstance>>;
  /**
   * Returns one page: the hosts of several projects, then the runtimes of all projects, sorted by project, family and name. If a
   * plugin is given, returns only runtimes of families with an enabled record of it.
   */
  pageOfAll(plugin: number | null, page: PageRequest): Promise<Page<ProjectRuntime>>;
  /**
   * Returns the online runtimes of these families, and the hosts that serve one of them, whose last report names the plugin. Leaves
   * out those whose keys are limited to other plugins.
   */
  ofPlugin(plugin: number, families: readonly FamilyRef[], at: Date): Promise<readonly PluginRuntime[]>;
  /** Deletes a runtime. Resolves to false if there is none with this name. */
  forget(family: FamilyRef, instance: string): Promise<boolean>;
}
