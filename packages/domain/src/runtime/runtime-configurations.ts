import { DomainError } from '../kernel/domain-error.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { FamilyRef, ReachedVersion } from '../project/family.ts';
import type { Family } from '../vocabulary/vocabulary.ts';

/** How many enabled records of a family, and how many MiB of their configurations, runtimes can get. */
export interface RuntimeLimits {
  readonly records: number;
  readonly mib: number;
}

export const RUNTIME_LIMITS: RuntimeLimits = { records: 5000, mib: 32 };

/** An enabled record as runtimes see it. */
export interface RuntimeRecord {
  readonly id: number;
  readonly plugin: number;
  /** Null if the plugin is not registered. */
  readonly pluginName: string | null;
  /** Null if it has none. */
  readonly pluginSlug: string | null;
  /** The version of the plugin that the record follows; null if it is not registered. */
  readonly pluginVersion: string | null;
  readonly schemaVersion: number;
  readonly name: string | null;
  readonly order: number;
  /** False if the schema of the plugin rejects the configuration. */
  readonly valid: boolean;
  readonly configVersion: number;
  /** Includes secret values. */
  readonly config: JsonObject;
}

export interface RuntimeScope extends FamilyRef {
  /** Only records of these plugins; empty or absent for all. */
  readonly plugins?: readonly number[];
}

/**
 * The version of the configuration for the runtimes of a family, and the state it was computed from. It can change
 * only when the list version or the registry version does.
 */
export interface RuntimeVersion extends ReachedVersion {
  readonly version: string;
  /** The size of the configurations. */
  readonly bytes: number;
  readonly listVersion: number;
}

export interface RuntimeConfiguration {
  readonly version: string;
  readonly records: readonly RuntimeRecord[];
}

/** The configuration for the runtimes of one of several projects, and the state in which it was read. */
export interface ProjectConfiguration extends ReachedVersion {
  readonly projectId: number;
  readonly externalId: string | null;
  readonly listVersion: number;
  /** False if the project never had a record of the requested plugins. */
  readonly isConcerned: boolean;
  /** Null if the project is beyond the limits. */
  readonly version: string | null;
  /** Null if the project is beyond the limits, or if only versions were requested. */
  readonly records: readonly RuntimeRecord[] | null;
}

export interface ReadOptions {
  /** Only records of these plugins; empty means all. The version covers only these. */
  readonly plugins: readonly number[];
  /** False for versions alone. */
  readonly content: boolean;
}

export interface ReadProjects {
  /** In the order of the request. Deleted projects are absent. */
  readonly projects: readonly ProjectConfiguration[];
  /** The last read project if not all fit, otherwise null. */
  readonly last: number | null;
}

/** How a write-back changes what runtimes get. */
export interface WrittenRecord {
  readonly id: number;
  readonly configVersion: number;
  /** Whether its configuration is valid now. */
  readonly valid: boolean;
}

/** The versions before and after a write-back; null if the project is beyond the limits. */
export interface VersionsAround {
  readonly before: string | null;
  readonly after: string | null;
}

export interface RuntimeConfigurations {
  /**
   * Returns the current version without decrypting anything. Reads no records while the known version can still be
   * current.
   * @throws DomainError `content_too_large`
   */
  version(scope: RuntimeScope, known: RuntimeVersion | null): Promise<RuntimeVersion>;
  /** Returns the current version, and the version after a write-back that nothing else precedes. */
  versionsAround(scope: RuntimeScope, written: WrittenRecord): Promise<VersionsAround>;
  /**
   * Returns the enabled, live records in order, including secret values.
   * @throws DomainError `content_too_large`
   */
  read(scope: RuntimeScope): Promise<RuntimeConfiguration>;
  /** Reads as many of these projects as fit, and at least one. A project beyond the limits does not affect the others. */
  ofProjects(family: Family, projectIds: readonly number[], options: ReadOptions): Promise<ReadProjects>;
}

export function contentTooLarge({ records, mib }: RuntimeLimits): DomainError {
  const message = `Runtimes get at most ${records} enabled records and ${mib} MiB in total. Disable some records.`;
  return new DomainError('content_too_large', message);
}
