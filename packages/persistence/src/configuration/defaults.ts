import { timingSafeEqual } from 'node:crypto';
import {
  defaultValues,
  readValues,
  writeValues,
  type ConfigField,
  type SecretNames,
  type Values,
} from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { forgetLostCommits } from '../postgres/forget-lost-commits.ts';
import type { Primary } from '../postgres/primary.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { decryptText, encryptText, type Ciphertext, type DataKey, type Place } from './ciphertext.ts';
import { SERVICE, type DataKeys } from './data-keys.ts';

/** The initial configuration of new records of a registered plugin. */
export interface Defaults {
  readonly plugin: number;
  /** The registry version at the last registration or removal of the plugin. */
  readonly version: number;
  /** The configuration as JSON text, including secrets; null if there are no defaults. */
  readonly values: string | null;
  readonly secretNames: SecretNames;
}

const DEFAULTS = columns((row) => ({
  plugin: row.number('p.id'),
  version: row.number('p.registry_version'),
  hasDefaults: row.flag('p.has_defaults'),
  configSchema: row.jsonOrNull('p.config_schema') as readonly ConfigField[] | null,
  secretDefaults: row.textOrNull('p.secret_defaults'),
  secretNames: row.json('array_to_json(p.secret_names)') as readonly string[],
}));

export const PLUGIN_DEFAULTS: Statement = {
  name: 'plugin_defaults',
  text: `select ${DEFAULTS.sql} from plugin p where p.id = any ($1::integer[])`,
};

/** The size of the cache in characters, with an overhead per plugin. */
const CACHE_MAX_SIZE = 4 * 1024 * 1024;
const ENTRY_OVERHEAD = 200;

export interface DefaultsReader {
  /** Returns the defaults that this process read last, which may be outdated. */
  cached(plugin: number): Defaults | null;
  /** Reads the defaults of these plugins, except those missing from the registry. */
  read(connection: pg.Pool | pg.ClientBase, plugins: readonly number[]): Promise<readonly Defaults[]>;
}

export function newDefaults(
  dataKeys: DataKeys,
  { primary }: { readonly primary: Pick<Primary, 'connectionEpoch'> },
): DefaultsReader {
  const cache = new LRUCache<number, Defaults>({
    maxSize: CACHE_MAX_SIZE,
    sizeCalculation: ({ values }) => (values?.length ?? 0) + ENTRY_OVERHEAD,
  });
  const forget = forgetLostCommits(primary, cache);
  return {
    cached(plugin) {
      forget();
      return cache.get(plugin) ?? null;
    },

    async read(connection, plugins) {
      forget();
      const rows = (await run(connection, PLUGIN_DEFAULTS, [plugins])).map((row) => DEFAULTS.read(row));
      const hasSecrets = rows.some(({ secretDefaults }) => secretDefaults !== null);
      const keyOf = await dataKeys.load(connection, hasSecrets ? [SERVICE] : []);
      const found = rows.map(({ hasDefaults, configSchema, secretDefaults, secretNames, ...row }) => {
        const secrets =
          secretDefaults === null ? NO_VALUES : decryptDefaults(keyOf(SERVICE), row.plugin, secretDefaults);
        return {
          ...row,
          values: hasDefaults ? defaultValues(configSchema ?? [], secrets) : null,
          secretNames: new Set(secretNames),
        };
      });
      for (const defaults of found) cache.set(defaults.plugin, defaults);
      return found;
    },
  };
}

const NO_VALUES: Values = new Map();

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
