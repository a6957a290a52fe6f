import type { Configuration } from '../config-record/configuration.ts';
import type { Plugin } from './plugin.ts';

export interface PluginStore {
  find(id: number): Promise<Plugin | null>;
  /** By id. */
  list(): Promise<readonly Plugin[]>;
  /**
   * Registers it, or replaces what is registered. `seed` is what new records start with; `conceal` is applied to
   * the configuration of every record that attaches the plugin already, and what becomes a secret by it is masked in
   * their history as well. Raises the revision of all their families.
   */
  register(
    plugin: Plugin,
    seed: Configuration,
    conceal: (configuration: Configuration) => Configuration,
  ): Promise<void>;
  /** Raises the revision of all families that attach it. Resolves to false where it is not registered. */
  remove(id: number): Promise<boolean>;
}
