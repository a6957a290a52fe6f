import type { ConfigRecord, SecretNames } from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { forgetLostCommits } from '../postgres/forget-lost-commits.ts';
import type { Primary } from '../postgres/primary.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The size of the cache in characters, with an overhead per set of names. */
const CACHE_MAX_SIZE = 4 * 1024 * 1024;
const ENTRY_OVERHEAD = 200;

/** The fields of a record that determine its secret names. */
export type MaskedBy = Pick<ConfigRecord, 'plugin' | 'formerPlugins' | 'pluginVersion'>;

const NAMES = columns((row) => ({
  plugin: row.number('p.id'),
  version: row.number('p.registry_version'),
  names: row.json('array_to_json(p.secret_names)') as readonly string[],
}));

export const SECRET_NAMES: Statement = {
  name: 'secret_names',
  text: `select ${NAMES.sql} from plugin p where p.id = any ($1::integer[])`,
};

const NONE: SecretNames = new Set();

export interface SecretNamesReader {
  /**
   * Loads the secret names of records that are not in memory. Returns a function that looks them up. The names may include
   * those of later registrations, which is safe because names are only ever added.
   */
  load(
    connection: pg.Pool | pg.ClientBase,
    records: readonly MaskedBy[],
  ): Promise<(record: MaskedBy) => SecretNames>;
}

interface CachedNames {
  readonly version: number;
  readonly names: SecretNames;
}

export function newSecretNames({
  primary,
}: {
  readonly primary: Pick<Primary, 'connectionEpoch'>;
}): SecretNamesReader {
  const cache = new LRUCache<string, CachedNames>({
    maxSize: CACHE_MAX_SIZE,
    sizeCalculation: ({ names }) => [...names].reduce((size, name) => size + name.length, ENTRY_OVERHEAD),
  });
  const forget = forgetLostCommits(primary, cache);
  return {
    async load(connection, records) {
      forget();
      const found = new Map<string, SecretNames>();
      const missing = new Map<string, MaskedBy>();
      for (const record of records) {
        if (record.pluginVersion === null) continue;
        const key = keyOf(record);
        const cached = cache.get(key);
        if (cached !== undefined && cached.version >= record.pluginVersion) found.set(key, cached.names);
        else missing.set(key, record);
      }
      if (missing.size > 0) {
        const ids = new Set([...missing.values()].flatMap(pluginsOf));
        const rows = (await run(connection, SECRET_NAMES, [[...ids]])).map((row) => NAMES.read(row));
        const byPlugin = new Map(rows.map((row) => [row.plugin, row]));
        for (const [key, record] of missing) {
          const plugins = pluginsOf(record).flatMap((plugin) => byPlugin.get(plugin) ?? []);
          const version = Math.max(...plugins.map((each) => each.version));
          const names = new Set(plugins.flatMap((each) => each.names));
          found.set(key, names);
          cache.set(key, { version, names });
        }
      }
      return (record) => (record.pluginVersion === null ? NONE : namesIn(found, record));
    },
  };
}

function pluginsOf({ plugin, formerPlugins }: MaskedBy): readonly number[] {
  return [plugin, ...formerPlugins];
}

function keyOf(record: MaskedBy): string {
  return pluginsOf(record).join();
}

function namesIn(found: ReadonlyMap<string, SecretNames>, record: MaskedBy): SecretNames {
  const names = found.get(keyOf(record));
  if (names === undefined) throw new Error(`The secret names of plugin ${record.plugin} are not loaded.`);
  return names;
}
