import type { Configuration } from '../configuration/configuration.ts';
import type { Plugin } from './plugin.ts';

export interface PluginStore {
  find(id: number): Promise<Plugin | null>;
  /** By id. */
  list(): Promise<readonly Plugin[]>;
  /**
   * Registers it, or replaces what is registered. From now on new records start with the seed, and every change of a
   * configuration obeys the schema. Raises the revision of all families that attach it. Safe to repeat. Resolves to the
   * number of attached records that `sealNext` has not reached.
   */
  register(plugin: Plugin, seed: Configuration): Promise<number>;
  /**
   * Seals the next portion of the records that attach the plugin: applies `conceal` to their configurations, masks what
   * the schema calls secret in their history, and raises the revision of their families. A portion is bounded in records
   * and bytes, and holds one family at a time. The store remembers where the sealing stands, until another schema is
   * registered. Null where no record is left.
   * @throws DomainError `busy` where something else is registered as this plugin by now
   */
  sealNext(plugin: Plugin, conceal: Conceal): Promise<SealedPortion | null>;
  /** Raises the revision of all families that attach it. Resolves to false where it is not registered. */
  remove(id: number): Promise<boolean>;
}

/** Answers the very same configuration where nothing is to be sealed. */
export type Conceal = (configuration: Configuration) => Configuration;

export interface SealedPortion {
  /** The records that were looked at. */
  readonly records: number;
  /** Those of them whose configuration had a secret in the clear. */
  readonly sealed: number;
}
