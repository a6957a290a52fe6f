import { slugIn, UNVERSIONED, type PluginRef } from '@plugin-config/domain';
import type pg from 'pg';
import { PluginRow } from '../entities/plugin.row.ts';
import { ADVISORY_LOCK, ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { numberAt, textAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { prepared, run } from '../postgres/statement.ts';
import { rowOf, writtenOf, type RowOf, type Writable } from '../postgres/table.ts';

/** Serializes registrations and removals, which keeps slugs from moving during either. */
const LOCK_REGISTRY = prepared('lock_registry')`select pg_advisory_xact_lock(${ADVISORY_LOCK.registry})`;

/** Blocks attaching records to the plugin. */
export const LOCK_PLUGIN = prepared(
  'lock_plugin',
)`select pg_advisory_xact_lock(${ADVISORY_LOCKS.plugin}, $1)`;

const STORED = rowOf(PluginRow, 'p');

export type StoredPlugin = RowOf<typeof PluginRow>;

const READ_PLUGIN = prepared('read_plugin')`select ${STORED.sql} from plugin p where p.id = $1`;

const IDS_OF_SLUGS = prepared('ids_of_slugs')`select p.slug, p.id from plugin p where p.slug = any ($1)`;

const WRITTEN = writtenOf(PluginRow);

const STORE_PLUGIN = prepared('store_plugin')`
  insert into plugin (${WRITTEN.names}) values (${WRITTEN.parameters(1)})
  on conflict (id) do update set ${WRITTEN.assignments(1)}`;

/** On commit, invalidates all cached responses that show a plugin. */
const INCREMENT_REGISTRY_VERSION = prepared('increment_registry_version')`
  insert into plugin_registry as g (id, version) values (1, 1)
  on conflict (id) do update set version = g.version + 1 returning version`;

/** The fields of a removed plugin. Only its secret names are kept. */
export const REMOVED = {
  slug: null,
  name: null,
  description: null,
  url: null,
  icon: null,
  configSchema: null,
  jobs: null,
  checks: null,
  version: UNVERSIONED,
  schemaVersion: 1,
  versioned: false,
  info: null,
  defaultsBytes: 0,
  secretDefaults: null,
};

/** Changes registrations in one transaction, during which no slug moves. */
export function changeRegistry<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  return retryWhenBusy(() =>
    inTransaction(pool, 'begin', async (client) => {
      await run(client, LOCK_REGISTRY, []);
      return work(client);
    }),
  );
}

/** Reads a plugin. Until the transaction ends, no record can be attached to it. */
export async function lockPlugin(client: pg.ClientBase, id: number): Promise<StoredPlugin | null> {
  await run(client, LOCK_PLUGIN, [id]);
  const [row] = await run(client, READ_PLUGIN, [id]);
  return row === undefined ? null : STORED.read(row);
}

export async function idsOf(
  connection: pg.Pool | pg.ClientBase,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await run(connection, IDS_OF_SLUGS, [slugs]);
  return new Map(rows.map((row) => [textAt(row, 0), numberAt(row, 1)]));
}

/** Returns the id of a plugin; null if no plugin has the slug. */
export async function idIn(client: pg.Pool | pg.ClientBase, ref: PluginRef): Promise<number | null> {
  if (typeof ref === 'number') return ref;
  const slug = slugIn(ref);
  return (await idsOf(client, [slug])).get(slug) ?? null;
}

/** Outdates the copies of lists, which may depend on the states of versions. Streams go on, since no record looks different. */
export async function incrementRegistryVersion(client: pg.ClientBase): Promise<number> {
  const [row = []] = await run(client, INCREMENT_REGISTRY_VERSION, []);
  return numberAt(row, 0);
}

/** Stores a plugin, and increments the registry version. */
export async function storePlugin(
  client: pg.ClientBase,
  plugin: Omit<Writable<StoredPlugin>, 'registryVersion'>,
): Promise<void> {
  const registryVersion = await incrementRegistryVersion(client);
  await run(client, STORE_PLUGIN, WRITTEN.values({ ...plugin, registryVersion }));
}
