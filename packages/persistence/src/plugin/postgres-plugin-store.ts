import { pluginInfo, type Configuration, type Plugin, type PluginStore } from '@plugin-config/domain';
import { writeSecrets } from '../config-record/sealed-secrets.ts';
import type { Database } from '../database.ts';
import { inTransaction } from '../in-transaction.ts';
import { PLUGIN_LOCKS } from '../migrations/0001-config-functions.ts';
import { run, type Statement } from '../statement.ts';
import { concealAttached } from './conceal-attached.ts';
import { PLUGIN_COLUMNS, pluginAt } from './plugin-columns.ts';

const FIND_PLUGIN: Statement = {
  name: 'find_plugin',
  text: `select ${PLUGIN_COLUMNS} from plugin p where p.id = $1`,
};

const LIST_PLUGINS: Statement = {
  name: 'list_plugins',
  text: `select ${PLUGIN_COLUMNS} from plugin p order by p.id`,
};

const STORE_PLUGIN: Statement = {
  name: 'store_plugin',
  text: `insert into plugin (id, name, description, url, icon, config_schema, info, seed_config, seed_secrets,
    revision)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, nextval('plugin_revision_seq'))
  on conflict (id) do update set name = excluded.name, description = excluded.description, url = excluded.url,
    icon = excluded.icon, config_schema = excluded.config_schema, info = excluded.info, revision = excluded.revision,
    seed_config = excluded.seed_config, seed_secrets = excluded.seed_secrets`,
};

const REMOVE_PLUGIN: Statement = {
  name: 'remove_plugin',
  text: `delete from plugin where id = $1 returning id`,
};

/** Nobody attaches a record to it meanwhile. */
const HOLD_PLUGIN: Statement = {
  name: 'hold_plugin',
  text: `select pg_advisory_xact_lock(${PLUGIN_LOCKS}, $1)`,
};

/** In the one order that every writer takes them in. */
const HOLD_FAMILIES: Statement = {
  name: 'hold_families_of_plugin',
  text: `select 1 from config_family f
  where exists (
    select from config_record r where r.plugin = $1 and r.project_id = f.project_id and r.family = f.family
  )
  order by f.project_id, f.family for no key update`,
};

const RAISE_FAMILIES: Statement = {
  name: 'raise_families_of_plugin',
  text: `update config_family f set revision = f.revision + 1
  where exists (
    select from config_record r where r.plugin = $1 and r.project_id = f.project_id and r.family = f.family
  )`,
};

export function postgresPluginStore({ pool }: Pick<Database, 'pool'>): PluginStore {
  return {
    find: async (id) => {
      const [row] = await run(pool, FIND_PLUGIN, [id]);
      return row === undefined ? null : pluginAt(row, 0);
    },

    list: async () => (await run(pool, LIST_PLUGINS, [])).map((row) => pluginAt(row, 0)),

    register: (plugin, seed, conceal) =>
      inTransaction(pool, 'begin', async (client) => {
        await run(client, HOLD_PLUGIN, [plugin.id]);
        await run(client, STORE_PLUGIN, columnsOf(plugin, seed));
        await run(client, HOLD_FAMILIES, [plugin.id]);
        await concealAttached(client, plugin.id, conceal);
        await run(client, RAISE_FAMILIES, [plugin.id]);
      }),

    remove: (id) =>
      inTransaction(pool, 'begin', async (client) => {
        await run(client, HOLD_PLUGIN, [id]);
        const removed = await run(client, REMOVE_PLUGIN, [id]);
        if (removed.length === 0) return false;
        await run(client, HOLD_FAMILIES, [id]);
        await run(client, RAISE_FAMILIES, [id]);
        return true;
      }),
  };
}

function columnsOf(plugin: Plugin, seed: Configuration): readonly (string | number | null)[] {
  const { id, name, description = null, url = null, icon = null, configSchema } = plugin;
  const schema = configSchema === undefined ? null : JSON.stringify(configSchema);
  return [
    id,
    name,
    description,
    url,
    icon,
    schema,
    pluginInfo(plugin),
    seed.config,
    writeSecrets(seed.secrets),
  ];
}
