import type pg from 'pg';
import {
  pluginInfo,
  type Configuration,
  type Family,
  type Plugin,
  type PluginStore,
} from '@plugin-config/domain';
import { numberAt, textAt } from '../postgres/cells.ts';
import { raiseFamily } from '../configuration/reseal-families.ts';
import { writeSecrets } from '../configuration/sealed-secrets.ts';
import type { Database } from '../postgres/database.ts';
import { insist } from '../postgres/insist.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { PLUGIN_COLUMNS, pluginAt } from './plugin-columns.ts';
import { sealNext } from './seal-attached.ts';

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
    sealed_up_to, revision)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, nextval('plugin_revision_seq'))
  on conflict (id) do update set name = excluded.name, description = excluded.description, url = excluded.url,
    icon = excluded.icon, config_schema = excluded.config_schema, info = excluded.info, revision = excluded.revision,
    seed_config = excluded.seed_config, seed_secrets = excluded.seed_secrets,
    sealed_up_to = case when plugin.info = excluded.info then plugin.sealed_up_to else 0 end`,
};

const REMOVE_PLUGIN: Statement = {
  name: 'remove_plugin',
  text: `delete from plugin where id = $1 returning id`,
};

/** Nobody attaches a record to it meanwhile. */
const HOLD_PLUGIN: Statement = {
  name: 'hold_plugin',
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.plugin}, $1)`,
};

const FAMILIES: Statement = {
  name: 'families_of_plugin',
  text: `select distinct r.project_id, r.family from config_record r where r.plugin = $1
  order by r.project_id, r.family`,
};

/** How many records the sealing has not reached. */
const UNSEALED: Statement = {
  name: 'unsealed_records_of_plugin',
  text: `select count(*) from plugin p left join config_record c on c.id = p.sealed_up_to
  join config_record r on r.plugin = p.id and (r.project_id, r.family, r.id)
    > (coalesce(c.project_id, 0), coalesce(c.family, ''), coalesce(c.id, 0))
  where p.id = $1`,
};

export function postgresPluginStore({ pool }: Pick<Database, 'pool'>): PluginStore {
  return {
    find: async (id) => {
      const [row] = await run(pool, FIND_PLUGIN, [id]);
      return row === undefined ? null : pluginAt(row, 0);
    },

    list: async () => (await run(pool, LIST_PLUGINS, [])).map((row) => pluginAt(row, 0)),

    register: async (plugin, seed) => {
      await whileHeld(pool, plugin.id, (client) => run(client, STORE_PLUGIN, columnsOf(plugin, seed)));
      await raiseFamilies(pool, plugin.id);
      const [row = []] = await run(pool, UNSEALED, [plugin.id]);
      return numberAt(row, 0);
    },

    sealNext: (plugin, conceal) => sealNext(pool, plugin, conceal),

    remove: async (id) => {
      const removed = await whileHeld(pool, id, (client) => run(client, REMOVE_PLUGIN, [id]));
      await raiseFamilies(pool, id);
      return removed.length > 0;
    },
  };
}

function whileHeld<T>(
  pool: pg.Pool,
  plugin: number,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  return insist(() =>
    inTransaction(pool, 'begin', async (client) => {
      await run(client, HOLD_PLUGIN, [plugin]);
      return work(client);
    }),
  );
}

/** One family after the other: a family that is held for long keeps no other one waiting. */
async function raiseFamilies(pool: pg.Pool, plugin: number): Promise<void> {
  for (const row of await run(pool, FAMILIES, [plugin])) {
    await insist(() => raiseFamily(pool, { projectId: numberAt(row, 0), family: textAt(row, 1) as Family }));
  }
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
