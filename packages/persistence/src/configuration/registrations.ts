import { timingSafeEqual } from 'node:crypto';
import {
  defaultValues,
  readValues,
  writeValues,
  type ConfigField,
  type ConfigRecord,
  type SecretNames,
  type Values,
} from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { Primary } from '../postgres/primary.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { decryptText, encryptText, type Ciphertext, type DataKey, type Place } from './ciphertext.ts';
import { SERVICE, type DataKeys } from './data-keys.ts';

/** Counts the registrations and removals of plugins. */
export const REGISTRY_VERSION = 'coalesce((select g.version from plugin_registry g where g.id = 1), 0)';

/** The part of the registrations of a plugin that configurations depend on. */
export interface Defaults {
  readonly plugin: number;
  /** The registry version at the last registration or removal of the plugin. */
  readonly version: number;
  /** The initial configuration of new records as JSON text, including secrets; null if there are no defaults. */
  readonly values: string | null;
  readonly secretNames: SecretNames;
}

/** The fields of a record that determine its secret names. */
export type MaskedBy = Pick<ConfigRecord, 'plugin' | 'formerPlugins' | 'pluginVersion'>;

const PLUGIN = columns((row) => ({
  plugin: row.number('p.id'),
  version: row.number('p.registry_version'),
  registryVersion: row.number(REGISTRY_VERSION),
  hasDefaults: row.flag('p.has_defaults'),
  configSchema: row.jsonOrNull('p.config_schema') as readonly ConfigField[] | null,
  secretDefaults: row.textOrNull('p.secret_defaults'),
  secretNames: row.json('array_to_json(p.secret_names)') as readonly string[],
}));

export const PLUGIN_DEFAULTS: Statement = {
  name: 'plugin_defaults',
  text: `select ${PLUGIN.sql} from plugin p where p.id = any ($1::integer[])`,
};

/** The maximum size of the cache, in characters plus an overhead per plugin. */
const CACHE_MAX_SIZE = 4 * 1024 * 1024;
const ENTRY_OVERHEAD = 200;
const NO_NAMES: SecretNames = new Set();
const NO_VALUES: Values = new Map();

interface Cached {
  /** Null if the plugin has never been registered. */
  readonly defaults: Defaults | null;
  /** The registry version at which it was read. */
  readonly registryVersion: number;
}

export interface Registrations {
  /** Returns the defaults that this process read last, which may be outdated. */
  cached(plugin: number): Defaults | null;
  /** Reads the defaults of these plugins, except those missing from the registry. */
  read(connection: pg.Pool | pg.ClientBase, plugins: readonly number[]): Promise<readonly Defaults[]>;
  /**
   * Loads the secret names of records that are not in memory. Returns a function that looks them up. The names may include
   * those of later registrations, which is safe because names are only ever added.
   */
  secretNames(
    connection: pg.Pool | pg.ClientBase,
    records: readonly MaskedBy[],
  ): Promise<(record: MaskedBy) => SecretNames>;
}

export function newRegistrations(
  dataKeys: DataKeys,
  { primary }: { readonly primary: Pick<Primary, 'onLostCommits' | 'connectionEpoch'> },
): Registrations {
  const cache = new LRUCache<number, Cached>({ maxSize: CACHE_MAX_SIZE, sizeCalculation: sizeOf });
  primary.onLostCommits(() => cache.clear());

  const read: Registrations['read'] = async (connection, plugins) => {
    const rows = (await run(connection, PLUGIN_DEFAULTS, [plugins])).map((row) => PLUGIN.read(row));
    const epoch = primary.connectionEpoch;
    const hasSecrets = rows.some(({ secretDefaults }) => secretDefaults !== null);
    const keyOf = await dataKeys.load(connection, hasSecrets ? [SERVICE] : []);
    const found = rows.map(({ plugin, version, hasDefaults, configSchema, secretDefaults, secretNames }) => {
      const secrets =
        secretDefaults === null ? NO_VALUES : decryptDefaults(keyOf(SERVICE), plugin, secretDefaults);
      const values = hasDefaults ? defaultValues(configSchema ?? [], secrets) : null;
      return { plugin, version, values, secretNames: new Set(secretNames) };
    });
    const byPlugin = new Map(found.map((defaults) => [defaults.plugin, defaults]));
    const registryVersion = rows[0]?.registryVersion ?? 0;
    if (epoch === primary.connectionEpoch)
      for (const plugin of plugins)
        cache.set(plugin, { defaults: byPlugin.get(plugin) ?? null, registryVersion });
    return found;
  };

  return {
    cached: (plugin) => cache.get(plugin)?.defaults ?? null,
    read,
    async secretNames(connection, records) {
      const found = new Map<number, SecretNames>();
      const missing = new Set<number>();
      for (const record of records) {
        if (record.pluginVersion === null) continue;
        for (const plugin of pluginsOf(record)) {
          const cached = cache.get(plugin);
          if (cached === undefined || cached.registryVersion < record.pluginVersion) missing.add(plugin);
          else found.set(plugin, cached.defaults?.secretNames ?? NO_NAMES);
        }
      }
      if (missing.size > 0) {
        for (const plugin of missing) found.set(plugin, NO_NAMES);
        for (const { plugin, secretNames } of await read(connection, [...missing]))
          found.set(plugin, secretNames);
      }
      return (record) => {
        if (record.pluginVersion === null) return NO_NAMES;
        const [names = NO_NAMES, ...former] = pluginsOf(record).map((plugin) => loaded(found, plugin));
        return former.length === 0 ? names : new Set([names, ...former].flatMap((each) => [...each]));
      };
    },
  };
}

function pluginsOf({ plugin, formerPlugins }: MaskedBy): readonly number[] {
  return [plugin, ...formerPlugins];
}

function loaded(found: ReadonlyMap<number, SecretNames>, plugin: number): SecretNames {
  const names = found.get(plugin);
  if (names === undefined) throw new Error(`The secret names of plugin ${plugin} are not loaded.`);
  return names;
}

function sizeOf({ defaults }: Cached): number {
  if (defaults === null) return ENTRY_OVERHEAD;
  const { values, secretNames } = defaults;
  return [...secretNames].reduce((size, name) => size + name.length, ENTRY_OVERHEAD + (values?.length ?? 0));
}

/** Encrypts the secret defaults of a plugin with the data key of the service. */
export function encryptDefaults(key: DataKey, plugin: number, values: Values): Ciphertext {
  return encryptText(key, placeOf(plugin), writeValues(values));
}

/** Returns whether the stored secret defaults have these values. Compares in constant time. */
export function areStoredDefaults(
  key: DataKey,
  plugin: number,
  { stored, values }: { readonly stored: Ciphertext; readonly values: Values },
): boolean {
  const [one, other] = [decryptDefaults(key, plugin, stored), values].map((each) =>
    Buffer.from(writeValues(each)),
  );
  return one !== undefined && other?.length === one.length && timingSafeEqual(one, other);
}

function decryptDefaults(key: DataKey, plugin: number, ciphertext: Ciphertext): Values {
  return readValues(decryptText(key, placeOf(plugin), ciphertext));
}

function placeOf(plugin: number): Place {
  return { projectId: SERVICE, column: 'plugin.secret_defaults', row: plugin };
}
