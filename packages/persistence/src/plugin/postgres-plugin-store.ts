import {
  COUNTED_RECORDS_MAX,
  defaultsOf,
  itemsThatFit,
  mergeSecretNames,
  pluginInfo,
  writeValues,
  type Plugin,
  type PluginStore,
  type RecordCounts,
  type Values,
} from '@plugin-config/domain';
import { audit } from '../audit/postgres-audit-log.ts';
import { bytesOf, hexOf, type DataKey } from '../configuration/ciphertext.ts';
import { dataKeyOf, newWrappedKey, SERVICE } from '../configuration/data-keys.ts';
import { areStoredDefaults, encryptDefaults } from '../configuration/registrations.ts';
import type { SecretsKeys } from '../crypto/secrets-keys.ts';
import type { PluginRow } from '../entities/plugin.row.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import type { Entities } from '../entities/entities-on.ts';
import { pluginOf } from '../configuration/plugin-columns.ts';
import { attachedRecords } from './attached-records.ts';
import { clearMarks, markInvalid } from './mark-invalid.ts';

/** Blocks attaching records to the plugin. */
const LOCK_PLUGIN = `select pg_advisory_xact_lock(${ADVISORY_LOCKS.plugin}, ?)`;

/** On commit, invalidates all cached responses that show a plugin. */
const INCREMENT_REGISTRY_VERSION = `insert into plugin_registry as g (id, version) values (1, 1)
  on conflict (id) do update set version = g.version + 1 returning version`;

const REGISTERED = { info: { $ne: null } } as const;

export function postgresPluginStore(
  database: Pick<EncryptedDatabase, 'entities' | 'pool' | 'isDry' | 'masterKeys' | 'configurations'>,
): PluginStore {
  const { entities, pool, isDry, masterKeys, configurations } = database;
  const registration = async (id: number) => (await configurations.registrations.read(pool, [id]))(id);
  return {
    find: async (id) => (await registration(id)).plugin,

    registration,

    page: ({ limit, offset }) =>
      entities('list_plugins', async ({ em, PluginRow }) => {
        const sizes = { limit, offset, orderBy: { id: 'asc' }, fields: ['id', 'bytes'] } as const;
        const [sized, count] = await em.findAndCount(PluginRow, REGISTERED, sizes);
        const ids = itemsThatFit(sized, ({ bytes }) => bytes).map(({ id }) => id);
        const where = { ...REGISTERED, id: { $in: ids } };
        const rows = await em.fork().find(PluginRow, where, { orderBy: { id: 'asc' } });
        return { count, items: rows.map((row) => pluginOf({ ...row, name: row.name ?? '' })) };
      }),

    register: (plugin, secretDefaults, author) => {
      const { id, name } = plugin;
      return changeRegistration(database, id, async (tx, row) => {
        const key = secretDefaults.size === 0 ? null : await serviceKey(tx, masterKeys);
        const counts = await countRecords(tx, id);
        if (isUnchanged(row, { plugin, secretDefaults, key })) return counts;
        const { description = null, url = null, icon = null, configSchema = null } = plugin;
        const defaults = defaultsOf(configSchema ?? [], secretDefaults);
        const registered = {
          name,
          description,
          url,
          icon,
          configSchema,
          info: pluginInfo(plugin),
          registryVersion: await incrementRegistryVersion(tx),
          defaultsBytes: defaults.size === 0 ? 0 : Buffer.byteLength(writeValues(defaults)),
          secretDefaults: key && bytesOf(encryptDefaults(key, id, secretDefaults)),
          secretNames: [...mergeSecretNames(row?.secretNames ?? [], plugin)],
        };
        const judged = { plugin, defaults, secretNames: new Set(registered.secretNames) };
        if (row === null) tx.em.create(tx.PluginRow, { id, ...registered });
        else tx.em.assign(row, registered);
        audit(tx, author, 'plugin_registered', { type: 'plugin', id, name });
        // A dry run that would not count them need not make the writers of all these records wait.
        if (isDry && counts.invalid === null) return counts;
        const invalid = await markInvalid(tx, masterKeys, judged);
        return counts.invalid === null ? counts : { ...counts, invalid };
      });
    },

    remove: (id, author) =>
      changeRegistration(database, id, async (tx, row) => {
        if (row?.name == null) return false;
        audit(tx, author, 'plugin_removed', { type: 'plugin', id, name: row.name });
        tx.em.assign(row, { ...REMOVED, registryVersion: await incrementRegistryVersion(tx) });
        await clearMarks(tx, id);
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
  { entities }: Pick<EncryptedDatabase, 'entities'>,
  plugin: number,
  work: (tx: Entities, row: PluginRow | null) => Promise<T>,
): Promise<T> {
  return retryWhenBusy(() =>
    entities('change_plugin', ({ em, ...rows }) =>
      em.transactional(async (locked) => {
        await locked.execute(LOCK_PLUGIN, [plugin]);
        return work({ em: locked, ...rows }, await locked.findOne(rows.PluginRow, plugin));
      }),
    ),
  );
}

interface NewRegistration {
  readonly plugin: Plugin;
  readonly secretDefaults: Values;
  /** The data key of the service; null if there are no secret defaults. */
  readonly key: DataKey | null;
}

function isUnchanged(row: PluginRow | null, { plugin, secretDefaults, key }: NewRegistration): boolean {
  if (row === null || row.info !== pluginInfo(plugin)) return false;
  if (row.secretDefaults === null || key === null) return row.secretDefaults === null && key === null;
  const stored = hexOf(row.secretDefaults);
  return areStoredDefaults(key, plugin.id, { stored, values: secretDefaults });
}

const COUNT_RECORDS = `select count(*) as total, count(*) filter (where r.invalid) as invalid
  from config_record r join config_family f on f.project_id = r.project_id and f.family = r.family
  where r.plugin = ? and not r.deleted`;

/** Counts the live records of a plugin, and the marked ones. Those of deleted projects, which have no families, do not count. */
async function countRecords({ em }: Entities, plugin: number): Promise<RecordCounts> {
  const [row] = await em.execute<{ readonly total: string; readonly invalid: string }[]>(COUNT_RECORDS, [
    plugin,
  ]);
  const total = Number(row?.total);
  return { total, invalid: total > COUNTED_RECORDS_MAX ? null : Number(row?.invalid) };
}

async function incrementRegistryVersion({ em }: Entities): Promise<number> {
  const [row] = await em.execute<{ readonly version: string }[]>(INCREMENT_REGISTRY_VERSION);
  return Number(row?.version);
}

/** Returns the service's own data key, which is created on first use. */
async function serviceKey({ em, ProjectKeyRow }: Entities, masterKeys: SecretsKeys): Promise<DataKey> {
  await em.upsert(ProjectKeyRow, newWrappedKey(masterKeys, SERVICE), {
    onConflictFields: ['projectId'],
    onConflictAction: 'ignore',
  });
  const stored = await em.findOneOrFail(ProjectKeyRow, { projectId: SERVICE });
  return dataKeyOf(masterKeys, stored.id, stored);
}
