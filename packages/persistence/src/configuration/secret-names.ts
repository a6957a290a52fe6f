import type { ConfigRecord, SecretNames } from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { forgetLostCommits } from '../postgres/forget-lost-commits.ts';
import type { Primary } from '../postgres/primary.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The characters of all names, and for each set what it takes besides. */
const KEPT_MAX_SIZE = 4 * 1024 * 1024;
const OWN_SIZE = 200;

/** What the secret names of a record depend on. */
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
   * Loads the secret names of records, unless they are in memory. Returns a function that finds them. They may be those of a later
   * registration: names are only added.
   */
  load(on: pg.Pool | pg.ClientBase, records: readonly MaskedBy[]): Promise<(record: MaskedBy) => SecretNames>;
}

interface Known {
  readonly version: number;
  readonly names: SecretNames;
}

export function newSecretNames({
  primary,
}: {
  readonly primary: Pick<Primary, 'connectionEpoch'>;
}): SecretNamesReader {
  const kept = new LRUCache<string, Known>({
    maxSize: KEPT_MAX_SIZE,
    sizeCalculation: ({ names }) => [...names].reduce((size, name) => size + name.length, OWN_SIZE),
  });
  const forget = forgetLostCommits(primary, kept);
  return {
    async load(on, records) {
      forget();
      const found = new Map<string, SecretNames>();
      const missing = new Map<string, MaskedBy>();
      for (const record of records) {
        if (record.pluginVersion === null) continue;
        const key = keyOf(record);
        const known = kept.get(key);
        if (known !== undefined && known.version >= record.pluginVersion) found.set(key, known.names);
        else missing.set(key, record);
      }
      if (missing.size > 0) {
        const plugins = new Set([...missing.values()].flatMap(pluginsOf));
        const rows = (await run(on, SECRET_NAMES, [[...plugins]])).map((row) => NAMES.read(row));
        const byPlugin = new Map(rows.map((row) => [row.plugin, row]));
        for (const [key, record] of missing) {
          const of = pluginsOf(record).flatMap((plugin) => byPlugin.get(plugin) ?? []);
          const version = Math.max(...of.map((each) => each.version));
          const names = new Set(of.flatMap((each) => each.names));
          found.set(key, names);
          kept.set(key, { version, names });
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
