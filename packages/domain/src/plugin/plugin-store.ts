import type { Configuration } from '../configuration/configuration.ts';
import type { Plugin } from './plugin.ts';

export interface PluginStore {
  find(id: number): Promise<Plugin | null>;
  /** The plugins, sorted by id. */
  list(): Promise<readonly Plugin[]>;
  /**
   * Registers a plugin or replaces its registration. From then on new records start with the seed, and each change of a
   * configuration obeys the schema, and no answer shows the earlier registration. Then raises the revision of all families
   * that attach the plugin. Safe to repeat.
   * Resolves to the number of attached records that `sealNext` has not processed.
   */
  register(plugin: Plugin, seed: Configuration): Promise<number>;
  /**
   * Seals the next portion of the attached records: applies `conceal` to their configurations, masks secret fields in
   * their history, and raises the revision of their families. A portion is bounded in records and bytes, and locks one
   * family at a time. The store keeps a cursor, until another schema is registered. Null if no record is left.
   * @throws DomainError `busy` if the registration has changed meanwhile
   */
  sealNext(plugin: Plugin, conceal: Conceal): Promise<SealedPortion | null>;
  /**
   * Removes a registration, which no answer shows from then on. Then raises the revision of all families that attach the
   * plugin. Resolves to false if it is not registered.
   */
  remove(id: number): Promise<boolean>;
}

/** Returns the same object if nothing is to be sealed. */
export type Conceal = (configuration: Configuration) => Configuration;

export interface SealedPortion {
  /** The number of records in the portion. */
  readonly records: number;
  /** The number of records that had a plain-text secret. */
  readonly sealed: number;
}
