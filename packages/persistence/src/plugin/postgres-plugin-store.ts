import {
  itemsThatFit,
  pluginInfo,
  type Configuration,
  type Page,
  type Plugin,
  type PluginStore,
} from '@plugin-config/domain';
import type pg from 'pg';
import { audit } from '../audit/postgres-audit-log.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { nullIfBusy, retryWhenBusy } from '../postgres/busy.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { run, translated, type Statement } from '../postgres/statement.ts';
import type { Entities } from '../entities/entities-on.ts';
import { PLUGIN, pluginOf } from './plugin-columns.ts';
import { sealNext } from './seal-attached.ts';
import { finishChange, finishChanges } from './touch-attached.ts';

/** Keeps records from being attached meanwhile. */
const LOCK_PLUGIN = `select pg_advisory_xact_lock(${ADVISORY_LOCKS.plugin}, ?)`;

/** Makes every cached answer that shows a plugin invalid with the commit. */
const COUNT_REGISTRATION = `insert into plugin_registry as g (id, registrations) values (1, 1)
  on conflict (id) do update set registrations = g.registrations + 1 returning registrations`;

/** A worker asks it that finishes a registration beside pushes, so it does not load the ORM. */
const FIND: Statement = { name: 'find_plugin', text: `select ${PLUGIN.sql} from plugin p where p.id = $1` };

const UNSEALED_OF_PLUGIN = columns((row) => ({
  plugin: row.number('p.id'),
  records: row.number('count(*)'),
}));

/** The records that the sealing of their plugin has not reached. */
const UNSEALED_RECORDS = `plugin p left join config_record c on c.id = p.sealed_up_to
  join config_record r on r.plugin = p.id and (r.project_id, r.family, r.id)
    > (coalesce(c.project_id, 0), coalesce(c.family, ''), coalesce(c.id, 0))
  where p.sealed_up_to is not null`;

/** Counts them for each of these plugins. */
const UNSEALED: Statement = {
  name: 'unsealed_records_of_plugins',
  text: `select ${UNSEALED_OF_PLUGIN.sql} from ${UNSEALED_RECORDS} and p.id = any ($1::integer[]) group by p.id`,
};

const UNSEALED_OF_ONE = `select count(*) from ${UNSEALED_RECORDS} and p.id = ?`;

const UNFINISHED: Statement = {
  name: 'unfinished_plugins',
  text: 'select id from plugin where sealed_up_to is not null order by id',
};

export function postgresPluginStore(database: Pick<Database, 'entities' | 'pool' | 'isDry'>): PluginStore {
  const { entities, pool } = database;
  return {
    find: async (id) => {
      const [row] = await run(pool, FIND, [id]);
      return row === undefined ? null : PLUGIN.read(row);
    },

    page: ({ limit, offset }) => {
      const read = async (): Promise<Page<Plugin>> => {
        const { em, PluginRow } = await entities();
        const sizes = { limit, offset, orderBy: { id: 'asc' }, fields: ['id', 'bytes'] } as const;
        const [sized, count] = await em.findAndCount(PluginRow, {}, sizes);
        const ids = itemsThatFit(sized, ({ bytes }) => bytes).map(({ id }) => id);
        const rows = await em.fork().find(PluginRow, { id: { $in: ids } }, { orderBy: { id: 'asc' } });
        return { count, items: rows.map(pluginOf) };
      };
      return translated(read);
    },

    register: (plugin, seed, author) => {
      const { id, name } = plugin;
      return change(database, id, async (own) => {
        const revision = await countChange(own, id);
        await store(own, { plugin, seed, revision });
        audit(own, author, 'plugin_registered', { type: 'plugin', id, name });
        await own.em.flush();
        const [counted] = await own.em.execute<{ readonly count: string }[]>(UNSEALED_OF_ONE, [id]);
        return { revision, result: Number(counted?.count) };
      });
    },

    unsealed: (ids) => unsealed(pool, ids),

    unfinished: async () => (await run(pool, UNFINISHED, [])).map((row) => numberAt(row, 0)),

    sealNext: (plugin, conceal) => sealNext(pool, plugin, conceal),

    remove: (id, author) =>
      change(database, id, async (own) => {
        const known = await own.em.findOne(own.PluginRow, id);
        if (known === null) return { revision: null, result: false };
        const revision = await countChange(own, id);
        own.em.remove(known);
        audit(own, author, 'plugin_removed', { type: 'plugin', id, name: known.name });
        return { revision, result: true };
      }),

    raiseLeft: () => finishChanges(pool),
  };
}

async function unsealed(pool: pg.Pool, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = (await run(pool, UNSEALED, [ids])).map((row) => UNSEALED_OF_PLUGIN.read(row));
  return new Map(rows.map(({ plugin, records }) => [plugin, records]));
}

interface Changed<T> {
  /** Null if nothing has changed. */
  readonly revision: number | null;
  readonly result: T;
}

/** Changes a registration in one transaction. Then touches the attached records; a worker does if their family is locked. */
async function change<T>(
  { entities, pool, isDry }: Pick<Database, 'entities' | 'pool' | 'isDry'>,
  plugin: number,
  work: (entities: Entities) => Promise<Changed<T>>,
): Promise<T> {
  const { revision, result } = await retryWhenBusy(() =>
    translated(async () => {
      const { em, ...rows } = await entities();
      return em.transactional(async (locked) => {
        await locked.execute(LOCK_PLUGIN, [plugin]);
        return work({ em: locked, ...rows });
      });
    }),
  );
  const tries = 1;
  if (revision !== null && !isDry)
    await nullIfBusy(() => finishChange(pool, { plugin, revision }, { tries }));
  return result;
}

/**
 * Counts a change in its transaction. The count is the revision of a new registration. Also notes that the attached records are
 * to be touched, so that somebody does if this process ends.
 */
async function countChange({ em, PluginChangeRow }: Entities, plugin: number): Promise<number> {
  const [counted] = await em.execute<{ readonly registrations: string }[]>(COUNT_REGISTRATION);
  const revision = Number(counted?.registrations);
  await em.upsert(PluginChangeRow, { plugin, revision });
  return revision;
}

interface Registration {
  readonly plugin: Plugin;
  readonly seed: Configuration;
  readonly revision: number;
}

/**
 * Stores a registration. If it changes, the sealing of attached records starts over. Locks the row, which a sealing may be
 * about to advance.
 */
async function store(
  { em, PluginRow, LockMode }: Entities,
  { plugin, seed, revision }: Registration,
): Promise<void> {
  const { id, name, description = null, url = null, icon = null, configSchema = null } = plugin;
  const info = pluginInfo(plugin);
  const known = await em.findOne(PluginRow, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const sealedUpTo = known?.info === info ? known.sealedUpTo : 0;
  const registered = { name, description, url, icon, configSchema, info, revision, sealedUpTo };
  const seeded = { seedConfig: seed.config, seedSecrets: Object.fromEntries(seed.secrets) };
  if (known === null) em.create(PluginRow, { id, ...registered, ...seeded });
  else em.assign(known, { ...registered, ...seeded });
}
