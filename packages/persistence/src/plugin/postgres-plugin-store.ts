import { pluginInfo, type Configuration, type Plugin, type PluginStore } from '@plugin-config/domain';
import { numberAt } from '../postgres/cells.ts';
import type { Database } from '../postgres/database.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { translated } from '../postgres/translate-error.ts';
import type { Entities } from '../entities/entities-on.ts';
import { pluginOf } from './plugin-columns.ts';
import { sealNext } from './seal-attached.ts';
import { touchAttached } from './touch-attached.ts';

/** Keeps records from being attached meanwhile. */
const LOCK_PLUGIN = `select pg_advisory_xact_lock(${ADVISORY_LOCKS.plugin}, ?)`;

/** Makes every cached answer that shows a plugin invalid with the commit. */
const COUNT_REGISTRATION = `insert into plugin_registry as g (id, registrations) values (1, 1)
  on conflict (id) do update set registrations = g.registrations + 1 returning registrations`;

/** Counts the records that the sealing has not reached. */
const UNSEALED: Statement = {
  name: 'unsealed_records_of_plugin',
  text: `select count(*) from plugin p left join config_record c on c.id = p.sealed_up_to
  join config_record r on r.plugin = p.id and (r.project_id, r.family, r.id)
    > (coalesce(c.project_id, 0), coalesce(c.family, ''), coalesce(c.id, 0))
  where p.id = $1`,
};

export function postgresPluginStore({ entities, pool }: Pick<Database, 'entities' | 'pool'>): PluginStore {
  return {
    find: (id) =>
      translated(async () => {
        const { em, PluginRow } = await entities();
        const row = await em.findOne(PluginRow, id);
        return row && pluginOf(row);
      }),

    list: () =>
      translated(async () => {
        const { em, PluginRow } = await entities();
        const rows = await em.findAll(PluginRow, { orderBy: { id: 'asc' } });
        return rows.map(pluginOf);
      }),

    register: async (plugin, seed) => {
      await change(entities, plugin.id, (own, revision) => store(own, { plugin, seed, revision }));
      await touchAttached(pool, plugin.id);
      const [row = []] = await run(pool, UNSEALED, [plugin.id]);
      return numberAt(row, 0);
    },

    sealNext: (plugin, conceal) => sealNext(pool, plugin, conceal),

    remove: async (id) => {
      const removed = await change(entities, id, ({ em, PluginRow }) => em.nativeDelete(PluginRow, id));
      await touchAttached(pool, id);
      return removed > 0;
    },
  };
}

/** Changes a registration, and counts the change, in one transaction. The count is the revision of a new registration. */
function change<T>(
  entities: Database['entities'],
  plugin: number,
  work: (entities: Entities, count: number) => Promise<T>,
): Promise<T> {
  return retryWhenBusy(() =>
    translated(async () => {
      const { em, ...rows } = await entities();
      return em.transactional(async (locked) => {
        await locked.execute(LOCK_PLUGIN, [plugin]);
        const [counted] = await locked.execute<{ readonly registrations: string }[]>(COUNT_REGISTRATION);
        return work({ em: locked, ...rows }, Number(counted?.registrations));
      });
    }),
  );
}

interface Registration {
  readonly plugin: Plugin;
  readonly seed: Configuration;
  readonly revision: number;
}

/** Stores a registration. If it changes, the sealing of attached records starts over. */
async function store({ em, PluginRow }: Entities, { plugin, seed, revision }: Registration): Promise<void> {
  const { id, name, description = null, url = null, icon = null, configSchema = null } = plugin;
  const info = pluginInfo(plugin);
  const known = await em.findOne(PluginRow, id);
  const sealedUpTo = known?.info === info ? known.sealedUpTo : 0;
  const registered = { name, description, url, icon, configSchema, info, revision, sealedUpTo };
  const seeded = { seedConfig: seed.config, seedSecrets: Object.fromEntries(seed.secrets) };
  if (known === null) em.create(PluginRow, { id, ...registered, ...seeded });
  else em.assign(known, { ...registered, ...seeded });
}
