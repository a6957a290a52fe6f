import type { Values } from '../configuration/configuration.ts';
import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Plugin, Registration } from './plugin.ts';

/**
 * The registered plugins. Each registration and removal is one transaction, which bumps the registry version and adds
 * an audit entry. From its commit on, no response shows the earlier state.
 */
export interface PluginStore {
  find(id: number): Promise<Plugin | null>;
  registration(id: number): Promise<Registration>;
  /** Returns the plugins, sorted by id. The byte limit of a page counts them as JSON text. */
  page(page: PageRequest): Promise<Page<Plugin>>;
  /**
   * Registers a plugin or replaces its registration. From then on, records show its defaults, configuration
   * changes must match its schema, and its secret fields are masked everywhere. Registering the same plugin again
   * changes nothing.
   * @throws DomainError `invalid_input`, attr `config_schema`, if its registrations have declared too many secret
   * fields in total
   */
  register(plugin: Plugin, secretDefaults: Values, author: Author): Promise<void>;
  /** Removes a registration. Its secrets stay masked. Resolves to false if the plugin is not registered. */
  remove(id: number, author: Author): Promise<boolean>;
}
