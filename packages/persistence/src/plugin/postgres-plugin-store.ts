import {
  COUNTED_RECORDS_MAX,
  defaultsOf,
  mergeSecretNames,
  pluginInfo,
  writeValues,
  type Plugin,
  type PluginStore,
  type RecordCounts,
  type Values,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import type { DataKey } from '../configuration/ciphertext.ts';
import { serviceKey } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { PLUGIN } from '../configuration/plugin-columns.ts';
import { areStoredDefaults, encryptDefaults } from '../configuration/registrations.ts';
import { PluginRow } from '../entities/plugin.row.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { rowOf, writtenOf, type RowOf, type Writable } from '../postgres/table.ts';
import { attachedRecords } from './attached-records.ts';
import { clearMarks, markInvalid } from './mark-invalid.ts';

/** Blocks attaching records to the plugin. */
const LOCK_PLUGIN: Statement = {
  name: 'lock_plugin',
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.plugin}, $1)`,
};

const STORED = rowOf(PluginRow, 'p');

type StoredPlugin = RowOf<typeof PluginRow>;

const READ_PLUGIN: Statement = {
  name: 'read_plugin',
  text: `select ${STORED.sql} from plugin p where p.id = $1`,
};

const WRITTEN = writtenOf(PluginRow);

const STORE_PLUGIN: Statement = {
  name: 'store_plugin',
  text: `insert into plugin (${WRITTEN.names}) values (${WRITTEN.parameters(1)})
  on conflict (id) do update set ${WRITTEN.assignments(1)}`,
};

/** On commit, invalidates all cached responses that show a plugin. */
const INCREMENT_REGISTRY_VERSION: Statement = {
  name: 'increment_registry_version',
  text: `insert into plugin_registry as g (id, version) values (1, 1)
  on conflict (id) do update set version = g.version + 1 returning version`,
};

const PAGE = pageOf({
  name: 'page_of_plugins',
  item: PLUGIN,
  from: 'plugin p where p.info is not null',
  order: 'id',
  bytes: 'octet_length(p.info)',
});

export function postgresPluginStore(
  database: Pick<EncryptedDatabase, 'pool' | 'isDry' | 'masterKeys' | 'configurations'>,
): PluginStore {
  const { pool, isDry, masterKeys, configurations } = database;
  const registration = async (id: number) => (await configurations.registrations.read(pool, [id]))(id);
  return {
    find: async (id) => (await registration(id)).plugin,

    registration,

    page: (page) => PAGE.read(pool, page),

    register: (plugin, secretDefaults, author) => {
      const { id, name } = plugin;
      return changeRegistration(pool, id, async (client, row) => {
        const key = secretDefaults.size === 0 ? null : await serviceKey(client, masterKeys);
        const counts = await countRecords(client, id);
        if (isUnchanged(row, { plugin, secretDefaults, key })) return counts;
        const defaults = defaultsOf(plugin.configSchema ?? [], secretDefaults);
        const secretNames = [...mergeSecretNames(row?.secretNames ?? [], plugin)];
        await storePlugin(client, {
          ...REMOVED,
          ...plugin,
          info: pluginInfo(plugin),
          defaultsBytes: defaults.size === 0 ? 0 : Buffer.byteLength(writeValues(defaults)),
          secretDefaults: key && encryptDefaults(key, id, secretDefaults),
          secretNames,
        });
        await insertAudit(client, author, 'plugin_registered', { type: 'plugin', id, name });
        // A dry run that would not count them need not make the writers of all these records wait.
        if (isDry && counts.invalid === null) return counts;
        const invalid = await markInvalid(client, masterKeys, {
          plugin,
          defaults,
          secretNames: new Set(secretNames),
        });
        return counts.invalid === null ? counts : { ...counts, invalid };
      });
    },

    remove: (id, author) =>
      changeRegistration(pool, id, async (client, row) => {
        if (row?.name == null) return false;
        await storePlugin(client, { ...row, ...REMOVED });
        await insertAudit(client, author, 'plugin_removed', { type: 'plugin', id, name: row.name });
        await clearMarks(client, id);
        return true;
      }),

    records: (plugin, filter, page) => attachedRecords(pool, plugin, filter, page),
  };
}

/** The fields of a removed plugin. Only its secret names are kept. */
const REMOVED = {
  name: null,
  description: null,
  url: null,
  icon: null,
  configSchema: null,
  info: null,
  defaultsBytes: 0,
  secretDefaults: null,
};

/** Changes a registration in one transaction, during which no record can be attached to the plugin. */
function changeRegistration<T>(
  pool: pg.Pool,
  plugin: number,
  work: (client: pg.ClientBase, stored: StoredPlugin | null) => Promise<T>,
): Promise<T> {
  return retryWhenBusy(() =>
    inTransaction(pool, 'begin', async (client) => {
      await run(client, LOCK_PLUGIN, [plugin]);
      const [row] = await run(client, READ_PLUGIN, [plugin]);
      return work(client, row === undefined ? null : STORED.read(row));
    }),
  );
}

/** Stores a plugin, and increments the registry version. */
async function storePlugin(
  client: pg.ClientBase,
  plugin: Omit<Writable<StoredPlugin>, 'registryVersion'>,
): Promise<void> {
  const [row = []] = await run(client, INCREMENT_REGISTRY_VERSION, []);
  await run(client, STORE_PLUGIN, WRITTEN.values({ ...plugin, registryVersion: numberAt(row, 0) }));
}

interface NewRegistration {
  readonly plugin: Plugin;
  readonly secretDefaults: Values;
  /** The data key of the service; null if there are no secret defaults. */
  readonly key: DataKey | null;
}

function isUnchanged(row: StoredPlugin | null, { plugin, secretDefaults, key }: NewRegistration): boolean {
  if (row === null || row.info !== pluginInfo(plugin)) return false;
  if (row.secretDefaults === null || key === null) return row.secretDefaults === null && key === null;
  return areStoredDefaults(key, plugin.id, { stored: row.secretDefaults, values: secretDefaults });
}

const COUNTED = columns((row) => ({
  total: row.number('count(*)'),
  invalid: row.number('count(*) filter (where r.invalid)'),
}));

const COUNT_RECORDS: Statement = {
  name: 'count_records_of_plugin',
  text: `select ${COUNTED.sql}
  from config_record r join config_family f on f.project_id = r.project_id and f.family = r.family
  where r.plugin = $1 and not r.deleted`,
};

/** Counts the live records of a plugin, and the marked ones. Those of deleted projects, which have no families, do not count. */
async function countRecords(client: pg.ClientBase, plugin: number): Promise<RecordCounts> {
  const [row = []] = await run(client, COUNT_RECORDS, [plugin]);
  const { total, invalid } = COUNTED.read(row);
  return { total, invalid: total > COUNTED_RECORDS_MAX ? null : invalid };
}
