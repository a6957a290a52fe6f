import type { ConfigField } from '../configuration/config-field.ts';
import type { Author } from '../kernel/author.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { JobType, Registration } from '../plugin/plugin.ts';
import type { Configured, Values } from '../configuration/configuration.ts';
import type { RecordRef } from '../project/family.ts';
import type { ProjectSubject, RecordSubject } from '../project/subject.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import type { PluginRef, VersionState } from '../vocabulary/vocabulary.ts';
import type { ConfigMigration } from './migration-step.ts';

/** The version of a plugin that is registered without one. Registering it again replaces it. */
export const UNVERSIONED = '0';

/** What a version declares, which never changes. */
export interface VersionContent {
  readonly version: string;
  readonly schemaVersion: number;
  readonly configSchema?: readonly ConfigField[] | undefined;
  readonly jobs?: readonly JobType[] | undefined;
  readonly checks?: boolean | undefined;
  readonly migrations: readonly ConfigMigration[];
  /** Configurations of its schema. */
  readonly examples: readonly JsonObject[];
}

/** A version of a plugin, without the defaults of secret fields. */
export interface PluginVersion extends VersionContent {
  readonly state: VersionState;
  /** What its users should know; null unless it is deprecated. */
  readonly message: string | null;
  /** Null unless it is deprecated. */
  readonly upgradeBy: Date | null;
  readonly registeredAt: Date;
}

/** A version in the list of a plugin's versions. */
export interface ListedVersion extends PluginVersion {
  /** The live records that follow it; null if the plugin has more than `COUNTED_RECORDS_MAX`. */
  readonly records: number | null;
}

export interface VersionChange {
  readonly state?: VersionState | undefined;
  readonly message?: string | null | undefined;
  readonly upgradeBy?: Date | null | undefined;
}

/** A version that a record can follow. */
export interface TargetVersion extends Pick<PluginVersion, 'version' | 'schemaVersion' | 'state'> {
  /** All migrations of the plugin. */
  readonly migrations: readonly Pick<VersionContent, 'migrations'>[];
  readonly registration: Registration;
}

/** A live record of a plugin, and what its upgrade is judged by. */
export interface UpgradeCandidate extends Pick<Configured, 'values' | 'secretNames' | 'jsonSchemas'> {
  readonly record: Pick<
    ConfigRecord,
    'projectId' | 'family' | 'id' | 'enabled' | 'schemaVersion' | 'pinnedVersion'
  >;
  readonly subject: RecordSubject;
  readonly project: ProjectSubject;
}

/**
 * The versions of plugins. One is current: the plugin is registered as it says. A registration or change is one
 * transaction like one of a plugin: it bumps the registry version and adds an audit entry.
 */
export interface PluginVersionStore {
  /**
   * Returns the versions of a plugin, the last one first; null if it is not registered. Counts the records in the projects of a key;
   * in all projects if it has none.
   */
  page(
    plugin: PluginRef,
    projectIds: readonly number[],
    page: PageRequest,
  ): Promise<Page<ListedVersion> | null>;
  /**
   * Returns a version; null if there is none. Without a version, returns the one that a record with this schema version follows: by default
   * that of the current version.
   */
  target(plugin: number, version: string | null, schemaVersion?: number): Promise<TargetVersion | null>;
  /**
   * Returns the next records of a plugin, sorted by project, family and id, with secret values. Returns few at a time, and none at
   * the end.
   */
  candidates(plugin: number, after: RecordRef | null): Promise<readonly UpgradeCandidate[]>;
  /** Returns the number of live records of a plugin. */
  countRecords(plugin: number): Promise<number>;
  /**
   * Registers a version, if `checkVersion` accepts it. It becomes current if the plugin declared nothing. Registering the
   * same version again changes nothing. Resolves to null if the plugin is not registered.
   */
  register(
    plugin: PluginRef,
    version: VersionContent,
    secretDefaults: Values,
    author: Author,
  ): Promise<PluginVersion | null>;
  /**
   * Changes the state of a version by `changeVersion`. If it becomes current, the plugin is registered as it says, and the
   * former one is supported. Resolves to null if there is no such version.
   */
  change(
    plugin: PluginRef,
    version: string,
    change: VersionChange,
    author: Author,
  ): Promise<PluginVersion | null>;
}
