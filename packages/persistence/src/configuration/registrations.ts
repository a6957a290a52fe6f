import { timingSafeEqual } from 'node:crypto';
import {
  defaultsOf,
  NO_VALUES,
  NOT_REGISTERED,
  readValues,
  SERVICE,
  writeValues,
  type ConfigRecord,
  type Registration,
  type Values,
} from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { PLUGIN } from './plugin-columns.ts';
import { columns } from '../postgres/columns.ts';
import type { Primary } from '../postgres/primary.ts';
import { prepared, run } from '../postgres/statement.ts';
import { perTimeline } from '../postgres/timeline.ts';
import { decryptText, encryptText, type Ciphertext, type DataKey, type Place } from './ciphertext.ts';
import type { DataKeys } from './data-keys.ts';

/** Counts the registrations and removals of plugins. */
export const REGISTRY_VERSION = 'coalesce((select g.version from plugin_registry g where g.id = 1), 0)';

/** The fields of a record that determine how its configuration is shown. */
export type ShownBy = Pick<ConfigRecord, 'plugin' | 'formerPlugins' | 'pluginVersion'>;

const REGISTRATION = columns((row) => ({
  id: row.number('k.id'),
  version: row.number('k.registry_version'),
  registryVersion: row.number(REGISTRY_VERSION),
  secretDefaults: row.textOrNull('k.secret_defaults'),
  secretNames: row.texts('k.secret_names'),
  plugin: row.allOrNull(PLUGIN),
}));

export const READ_REGISTRATIONS = prepared('read_registrations')`select ${REGISTRATION.sql} from plugin k
  left join lateral (select * from plugin p where p.id = k.id and p.info is not null limit 1) p on true
  where k.id = any ($1::integer[])`;

/** The maximum size of the cache, in characters plus an overhead per plugin. */
const CACHE_MAX_SIZE = 8 * 1024 * 1024;
const ENTRY_OVERHEAD = 200;

interface Cached {
  readonly registration: Registration;
  /** The registry version at which it was read. */
  readonly registryVersion: number;
  readonly size: number;
}

export interface Registrations {
  /** Reads the current registrations of these plugins. Returns a function that looks them up. */
  read(
    connection: pg.Pool | pg.ClientBase,
    plugins: readonly number[],
  ): Promise<(plugin: number) => Registration>;
  /**
   * Loads the registrations of records that are not in memory. Returns a function that looks up that of a record, with the
   * secret names of its former plugins. They may be later than the record, but not earlier.
   */
  load(
    connection: pg.Pool | pg.ClientBase,
    records: readonly ShownBy[],
  ): Promise<(record: ShownBy) => Registration>;
}

export function newRegistrations(
  dataKeys: DataKeys,
  { primary }: { readonly primary: Pick<Primary, 'timeline'> },
): Registrations {
  const cacheOf = perTimeline(
    () =>
      new LRUCache<number, Cached>({
        maxSize: CACHE_MAX_SIZE,
        sizeCalculation: ({ size }) => size,
      }),
  );

  const read: Registrations['read'] = async (connection, plugins) => {
    if (plugins.length === 0) return () => NOT_REGISTERED;
    const cache = cacheOf(primary.timeline);
    const rows = (await run(connection, READ_REGISTRATIONS, [plugins])).map((row) => REGISTRATION.read(row));
    const hasSecrets = rows.some(({ secretDefaults }) => secretDefaults !== null);
    const keyOf = await dataKeys.load(connection, hasSecrets ? [SERVICE] : []);
    const registryVersion = rows[0]?.registryVersion ?? 0;
    const found = new Map<number, Registration>();
    for (const { id, version, plugin, secretDefaults, secretNames } of rows) {
      const secrets =
        secretDefaults === null ? NO_VALUES : storedDefaults(keyOf(SERVICE), id, secretDefaults);
      const defaults = defaultsOf(plugin?.configSchema ?? [], secrets);
      found.set(id, { plugin, version, secretNames: new Set(secretNames), defaults });
    }
    const registrationOf = (plugin: number): Registration => found.get(plugin) ?? NOT_REGISTERED;
    for (const plugin of plugins) {
      const registration = registrationOf(plugin);
      cache.set(plugin, { registration, registryVersion, size: sizeOf(registration) });
    }
    return registrationOf;
  };

  return {
    read,
    async load(connection, records) {
      const cache = cacheOf(primary.timeline);
      const found = new Map<number, Registration>();
      const missing = new Set<number>();
      for (const record of records) {
        if (record.pluginVersion === null) continue;
        for (const plugin of pluginsOf(record)) {
          const cached = cache.get(plugin);
          if (cached === undefined || cached.registryVersion < record.pluginVersion) missing.add(plugin);
          else found.set(plugin, cached.registration);
        }
      }
      const readOf = await read(connection, [...missing]);
      const registrationOf = (plugin: number): Registration => found.get(plugin) ?? readOf(plugin);
      return registrationOfRecord(registrationOf);
    },
  };
}

/** Returns a function that looks up the registration of a record, with the secret names of its former plugins. */
export function registrationOfRecord(
  registrationOf: (plugin: number) => Registration,
): (record: ShownBy) => Registration {
  return (record) => {
    if (record.pluginVersion === null) return NOT_REGISTERED;
    const [current = NOT_REGISTERED, ...former] = pluginsOf(record).map(registrationOf);
    if (former.length === 0) return current;
    const names = [current, ...former].flatMap(({ secretNames }) => [...secretNames]);
    return { ...current, secretNames: new Set(names) };
  };
}

/** Returns the current and former plugins of a record. */
export function pluginsOf({ plugin, formerPlugins }: Omit<ShownBy, 'pluginVersion'>): readonly number[] {
  return [plugin, ...formerPlugins];
}

function sizeOf({ plugin, defaults, secretNames }: Registration): number {
  return JSON.stringify([plugin, [...defaults], [...secretNames]]).length + ENTRY_OVERHEAD;
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
  const [one, other] = [storedDefaults(key, plugin, stored), values].map((each) =>
    Buffer.from(writeValues(each)),
  );
  return one !== undefined && other?.length === one.length && timingSafeEqual(one, other);
}

/** Decrypts the secret defaults of a plugin, or of one of its versions. */
export function storedDefaults(key: DataKey, plugin: number, ciphertext: Ciphertext): Values {
  return readValues(decryptText(key, placeOf(plugin), ciphertext));
}

function placeOf(plugin: number): Place {
  return { projectId: SERVICE, column: 'plugin.secret_defaults', row: plugin };
}
