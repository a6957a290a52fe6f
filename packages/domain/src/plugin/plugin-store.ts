import type { Values } from '../configuration/configuration.ts';
import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Plugin } from './plugin.ts';
import type { Registration } from './registration.ts';

/**
 * The registered plugins. Each registration and each removal is one transaction, whatever is attached to the plugin: it raises the
 * version of the registry, after which no response shows the earlier state, and adds an entry to the audit log.
 */
export interface PluginStore {
  find(id: number): Promise<Plugin | null>;
  registration(id: number): Promise<Registration>;
  /** The plugins, sorted by id. The byte limit of a page counts them as JSON text. */
  page(page: PageRequest): Promise<Page<Plugin>>;
  /**
   * Registers a plugin or replaces its registration. From then on new records start with its defaults, each change of a configuration
   * obeys its schema, and its secret fields are masked everywhere. Changes nothing if it is registered so already.
   * @throws DomainError `invalid_input`, attr `config_schema`, if its registrations have declared too many fields secret
   */
  register(plugin: Plugin, secretDefaults: Values, author: Author): Promise<void>;
  /** Removes a registration. What it declared secret stays masked. Resolves to false if it is not registered. */
  remove(id: number, author: Author): Promise<boolean>;
}
