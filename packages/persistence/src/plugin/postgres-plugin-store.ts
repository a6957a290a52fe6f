import {
  itemsThatFit,
  mergeSecretNames,
  pluginInfo,
  type Page,
  type Plugin,
  type PluginStore,
  type Values,
} from '@plugin-config/domain';
import { audit } from '../audit/postgres-audit-log.ts';
import { bytesOf, hexOf, type DataKey } from '../configuration/ciphertext.ts';
import { dataKeyOf, newWrappedKey, SERVICE } from '../configuration/data-keys.ts';
import { areDefaults, encryptDefaults } from '../configuration/defaults.ts';
import type { SecretsKeys } from '../crypto/secrets-keys.ts';
import type { PluginRow } from '../entities/plugin.row.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { run, translated, type Statement } from '../postgres/statement.ts';
import type { Entities } from '../entities/entities-on.ts';
import { PLUGIN, pluginOf } from './plugin-columns.ts';
import { readRegistration } from './read-registration.ts';

/** Keeps records from being attached meanwhile. */
const LOCK_PLUGIN = `select pg_advisory_xact_lock(${ADVISORY_LOCKS.plugin}, ?)`;

/** Makes every cached response that shows a plugin invalid with the commit. */
const RAISE_REGISTRY_VERSION = `insert into plugin_registry as g (id, version) values (1, 1)
  on conflict (id) do update set version = g.version + 1 returning version`;

const FIND: Statement = {
  name: 'find_plugin',
  text: `select ${PLUGIN.sql} from plugin p where p.id = $1 and p.info is not null`,
};

const REGISTERED = { info: { $ne: null } } as const;

export function postgresPluginStore(
  database: Pick<EncryptedDatabase, 'entities' | 'pool' | 'masterKeys'>,
): PluginStore {
  const { entities, pool, masterKeys } = database;
  return {
    find: async (id) => {
      const [row] = await run(pool, FIND, [id]);
      return row === undefined ? null : PLUGIN.read(row);
    },

    registration: (id) => readRegistration(pool, id),

    page: ({ limit, offset }) => {
      const read = async (): Promise<Page<Plugin>> => {
        const { em, PluginRow } = await entities();
        const sizes = { limit, offset, orderBy: { id: 'asc' }, fields: ['id', 'bytes'] } as const;
        const [sized, count] = await em.findAndCount(PluginRow, REGISTERED, sizes);
        const ids = itemsThatFit(sized, ({ bytes }) => bytes).map(({ id }) => id);
        const where = { ...REGISTERED, id: { $in: ids } };
        const rows = await em.fork().find(PluginRow, where, { orderBy: { id: 'asc' } });
        return { count, items: rows.map((row) => pluginOf({ ...row, name: row.name ?? '' })) };
      };
      return translated(read);
    },

    register: (plugin, secretDefaults, author) => {
      const { id, name } = plugin;
      return change(database, id, async (own, known) => {
        const key = secretDefaults.size === 0 ? null : await serviceKey(own, masterKeys);
        if (isRegistered(known, { plugin, secretDefaults, key })) return;
        const { description = null, url = null, icon = null, configSchema = null } = plugin;
        const registered = {
          name,
          description,
          url,
          icon,
          configSchema,
          info: pluginInfo(plugin),
          registryVersion: await raiseRegistryVersion(own),
          hasDefaults:
            secretDefaults.size > 0 || configSchema?.some((field) => field.default != null) === true,
          secretDefaults: key && bytesOf(encryptDefaults(key, id, secretDefaults)),
          secretNames: [...mergeSecretNames(known?.secretNames ?? [], plugin)],
        };
        if (known === null) own.em.create(own.PluginRow, { id, ...registered });
        else own.em.assign(known, registered);
        audit(own, author, 'plugin_registered', { type: 'plugin', id, name });
      });
    },

    remove: (id, author) =>
      change(database, id, async (own, known) => {
        if (known?.name == null) return false;
        audit(own, author, 'plugin_removed', { type: 'plugin', id, name: known.name });
        own.em.assign(known, { ...NOTHING, registryVersion: await raiseRegistryVersion(own) });
        return true;
      }),
  };
}

/** What is left of a registration that is removed, beside the names of secrets. */
const NOTHING = {
  name: null,
  description: null,
  url: null,
  icon: null,
  configSchema: null,
  info: null,
  hasDefaults: false,
  secretDefaults: null,
};

/** Changes a registration in one transaction. Nobody attaches the plugin to a record meanwhile. */
function change<T>(
  { entities }: Pick<EncryptedDatabase, 'entities'>,
  plugin: number,
  work: (own: Entities, known: PluginRow | null) => Promise<T>,
): Promise<T> {
  return retryWhenBusy(() =>
    translated(async () => {
      const { em, ...rows } = await entities();
      return em.transactional(async (locked) => {
        await locked.execute(LOCK_PLUGIN, [plugin]);
        return work({ em: locked, ...rows }, await locked.findOne(rows.PluginRow, plugin));
      });
    }),
  );
}

interface Registering {
  readonly plugin: Plugin;
  readonly secretDefaults: Values;
  /** The data key of the service; null if there are no secret defaults. */
  readonly key: DataKey | null;
}

function isRegistered(known: PluginRow | null, { plugin, secretDefaults, key }: Registering): boolean {
  if (known === null || known.info !== pluginInfo(plugin)) return false;
  if (known.secretDefaults === null || key === null) return known.secretDefaults === null && key === null;
  const stored = hexOf(known.secretDefaults);
  return areDefaults(key, plugin.id, { stored, values: secretDefaults });
}

async function raiseRegistryVersion({ em }: Entities): Promise<number> {
  const [raised] = await em.execute<{ readonly version: string }[]>(RAISE_REGISTRY_VERSION);
  return Number(raised?.version);
}

/** The data key of the service, which is made when it is needed first. */
async function serviceKey({ em, ProjectKeyRow }: Entities, masterKeys: SecretsKeys): Promise<DataKey> {
  await em.upsert(ProjectKeyRow, newWrappedKey(masterKeys, SERVICE), {
    onConflictFields: ['projectId'],
    onConflictAction: 'ignore',
  });
  const stored = await em.findOneOrFail(ProjectKeyRow, { projectId: SERVICE });
  return dataKeyOf(masterKeys, stored.id, stored);
}
