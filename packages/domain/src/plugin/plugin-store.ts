import type { Author } from '../kernel/author.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Plugin } from './plugin.ts';

export interface PluginStore {
  find(id: number): Promise<Plugin | null>;
  /** The plugins, sorted by id. The byte limit of a page counts them as JSON text. */
  page(page: PageRequest): Promise<Page<Plugin>>;
  /**
   * Registers a plugin or replaces its registration, and adds an entry to the audit log. From then on new records start with
   * the seed, each change of a configuration obeys the schema, and no answer shows the earlier registration. Then raises
   * the revision of all families that attach the plugin. Safe to repeat.
   * Resolves to the number of attached records that `sealNext` has not processed.
   */
  register(plugin: Plugin, seed: Configuration, author: Author): Promise<number>;
  /** The number of attached records that `sealNext` has not processed, of each of these plugins that has some. */
  unsealed(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** The plugins for which `sealNext` has not said that no record is left. */
  unfinished(): Promise<readonly number[]>;
  /**
   * Seals the next portion of the attached records: applies `conceal` to their configurations, masks secret fields in
   * their history, and raises the revision of their families. A portion is bounded in records and bytes, and locks one
   * family at a time. The store keeps a cursor, until another schema is registered. Null if no record is left: then it
   * seals no later record, since each change obeys the schema.
   * @throws DomainError `busy` if the registration has changed meanwhile
   */
  sealNext(plugin: Plugin, conceal: Conceal): Promise<SealedPortion | null>;
  /**
   * Removes a registration, which no answer shows from then on, and adds an entry to the audit log. Then raises the revision
   * of all families that attach the plugin. Resolves to false if it is not registered.
   */
  remove(id: number, author: Author): Promise<boolean>;
  /** Raises the revisions that a registration or a removal has left, because its process has ended. */
  raiseLeft(): Promise<void>;
}

/** Returns the same object if nothing is to be sealed. */
export type Conceal = (configuration: Configuration) => Configuration;

export interface SealedPortion {
  /** The number of records in the portion. */
  readonly records: number;
  /** The number of records that had a plain-text secret. */
  readonly sealed: number;
}
