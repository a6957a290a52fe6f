import type { Values } from '../configuration/configuration.ts';
import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { ProjectSubject, RecordSubject } from '../project/subject.ts';
import type { Family, PluginRef } from '../vocabulary/vocabulary.ts';
import type { Attachment, NewPlugin, Plugin, Registration } from './plugin.ts';

/** The records of a plugin under its current registration. */
export interface RecordCounts {
  /** The live records. */
  readonly total: number;
  /** The enabled records whose configuration the schema rejects; null if more than `COUNTED_RECORDS_MAX` are live. */
  readonly invalid: number | null;
}

/** The plugin as records show it, without the defaults of secret fields, and its records. */
export interface RegisteredPlugin extends Plugin {
  readonly records: RecordCounts;
}

/** A live record of a plugin. */
export interface AttachedRecord {
  readonly project: ProjectSubject;
  readonly family: Family;
  readonly record: RecordSubject;
  readonly enabled: boolean;
  /** False if the record is enabled and the schema of its plugin rejects its configuration. */
  readonly valid: boolean;
  readonly outdated: boolean;
}

/** `valid` and `outdated` are as in a list of records. */
export interface AttachedFilter {
  /** The projects of a key; empty for all projects. */
  readonly projectIds: readonly number[];
  readonly valid: boolean | null;
  readonly outdated: boolean | null;
}

/**
 * The registered plugins. Each registration and removal is one transaction, which bumps the registry version and adds
 * an audit entry. From its commit on, no response shows the earlier state.
 */
export interface PluginStore {
  find(ref: PluginRef): Promise<Plugin | null>;
  /** Returns the current ids of the plugins with these slugs. Unknown slugs are absent. */
  idsOf(slugs: readonly string[]): Promise<ReadonlyMap<string, number>>;
  registration(id: number): Promise<Registration>;
  /**
   * Returns the registration that holds for a record, with the secret names of its former plugins. It may be later than the record,
   * but not earlier.
   */
  registrationOf(record: Attachment): Promise<Registration>;
  /** Returns the plugins, sorted by id. The byte limit of a page counts them as JSON text. */
  page(page: PageRequest): Promise<Page<Plugin>>;
  /**
   * Registers a plugin or replaces its registration. From then on, records show its defaults, configuration
   * changes must match its schema, and its secret fields are masked everywhere. Registering the same plugin again
   * changes nothing. Enabled records whose configuration the schema rejects stay enabled, and are marked until they or
   * the schema change.
   * A new slug draws an id above every id that was ever registered, or attached to a record; any unused id once the highest
   * possible one is used. However many registrations of a new slug run concurrently, they are of one plugin.
   * @throws DomainError `already_exists`, attr `slug`, if another plugin has the slug
   * @throws DomainError `invalid_input`, attr `config_schema`, if its registrations have declared too many secret
   * fields in total
   */
  register(plugin: NewPlugin, secretDefaults: Values, author: Author): Promise<RegisteredPlugin>;
  /** Removes a registration. Its secrets stay masked, and its slug is free. Resolves to false if the plugin is not registered. */
  remove(ref: PluginRef, author: Author): Promise<boolean>;
  /** Returns the live records of a plugin, registered or not, sorted by project, family and id. */
  records(plugin: number, filter: AttachedFilter, page: PageRequest): Promise<Page<AttachedRecord>>;
}
