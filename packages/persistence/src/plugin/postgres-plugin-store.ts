import {
  COUNTED_RECORDS_MAX,
  defaultsOf,
  INTEGER_MAX,
  mergeSecretNames,
  pluginInfo,
  SLUG_PREFIX,
  slugIn,
  slugTaken,
  writeValues,
  type Plugin,
  type PluginRef,
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
import { ADVISORY_LOCK, ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { retryWhenBusy } from '../postgres/busy.ts';
import { columns, flagAt, numberAt, textAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run } from '../postgres/statement.ts';
import { rowOf, writtenOf, type RowOf, type Writable } from '../postgres/table.ts';
import { attachedRecords } from './attached-records.ts';
import { clearMarks, markInvalid } from './mark-invalid.ts';

/** Serializes registrations and removals, which keeps slugs from moving during either. */
const LOCK_REGISTRY = prepared('lock_registry')`select pg_advisory_xact_lock(${ADVISORY_LOCK.registry})`;

/** Blocks attaching records to the plugin. */
const LOCK_PLUGIN = prepared('lock_plugin')`select pg_advisory_xact_lock(${ADVISORY_LOCKS.plugin}, $1)`;

const STORED = rowOf(PluginRow, 'p');

type StoredPlugin = RowOf<typeof PluginRow>;

const READ_PLUGIN = prepared('read_plugin')`select ${STORED.sql} from plugin p where p.id = $1`;

const FIND_BY_SLUG = prepared('plugin_by_slug')`select ${PLUGIN.sql} from plugin p where p.slug = $1`;

const IDS_OF_SLUGS = prepared('ids_of_slugs')`select p.slug, p.id from plugin p where p.slug = any ($1)`;

const FORMER = `from config_record r where r.former_plugins <> '{}'`;

/** Returns the id above all that are or were registered or attached; a random one if the highest possible id was. */
const NEXT_ID = prepared('next_plugin_id')`
  select case when h.id < ${INTEGER_MAX} then h.id + 1 else 1 + floor(random() * ${INTEGER_MAX})::integer end
  from (
    select greatest(
      (select max(p.id) from plugin p),
      (select max(r.plugin) from config_record r),
      (select max(u.plugin) from (select unnest(r.former_plugins) as plugin ${FORMER}) u),
      (select g.erased_max from plugin_registry g where g.id = 1),
      0
    ) as id
  ) h`;

const IS_USED = prepared('is_plugin_id_used')`
  select exists (select from plugin p where p.id = $1) or exists (select from config_record r where r.plugin = $1)
    or exists (select ${FORMER} and $1 = any (r.former_plugins))`;

const WRITTEN = writtenOf(PluginRow);

const STORE_PLUGIN = prepared('store_plugin')`
  insert into plugin (${WRITTEN.names}) values (${WRITTEN.parameters(1)})
  on conflict (id) do update set ${WRITTEN.assignments(1)}`;

/** On commit, invalidates all cached responses that show a plugin. */
const INCREMENT_REGISTRY_VERSION = prepared('increment_registry_version')`
  insert into plugin_registry as g (id, version) values (1, 1)
  on conflict (id) do update set version = g.version + 1 returning version`;

const PAGE = pageOf({
  name: 'page_of_plugins',
  item: PLUGIN,
  from: 'plugin p where p.info is not null',
  order: 'id',
  bytes: 'octet_length(p.info) + coalesce(octet_length(p.jobs::text), 0)',
});

export function postgresPluginStore(
  database: Pick<EncryptedDatabase, 'pool' | 'isDry' | 'masterKeys' | 'configurations'>,
): PluginStore {
  const { pool, isDry, masterKeys, configurations } = database;
  const registration = async (id: number) => (await configurations.registrations.read(pool, [id]))(id);
  return {
    find: async (ref) => {
      if (typeof ref === 'number') return (await registration(ref)).plugin;
      const [row] = await run(pool, FIND_BY_SLUG, [slugIn(ref)]);
      return row === undefined ? null : PLUGIN.read(row);
    },

    idsOf: (slugs) => idsOf(pool, slugs),

    registration,

    page: (page) => PAGE.read(pool, page),

    register: ({ id: ref, slug: wanted, ...fields }, secretDefaults, author) =>
      changeRegistry(pool, async (client) => {
        const id = (await idIn(client, ref)) ?? (await drawId(client));
        const row = await lockPlugin(client, id);
        const slug = typeof ref === 'number' ? (wanted === undefined ? row?.slug : wanted) : slugIn(ref);
        if (slug != null && ((await idIn(client, `${SLUG_PREFIX}${slug}`)) ?? id) !== id) throw slugTaken();
        const plugin = { id, ...(slug != null && { slug }), ...fields };
        const key = secretDefaults.size === 0 ? null : await serviceKey(client, masterKeys);
        const records = await countRecords(client, id);
        if (isUnchanged(row, { plugin, secretDefaults, key })) return { ...plugin, records };
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
        const subject = { type: 'plugin', id, name: plugin.name } as const;
        await insertAudit(client, author, 'plugin_registered', subject);
        // A dry run that would not count them need not make the writers of all these records wait.
        if (isDry && records.invalid === null) return { ...plugin, records };
        const judging = { plugin, defaults, secretNames: new Set(secretNames) };
        const invalid = await markInvalid(client, masterKeys, judging);
        return { ...plugin, records: records.invalid === null ? records : { ...records, invalid } };
      }),

    remove: (ref, author) =>
      changeRegistry(pool, async (client) => {
        const id = await idIn(client, ref);
        const row = id === null ? null : await lockPlugin(client, id);
        if (id === null || row?.name == null) return false;
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
  slug: null,
  name: null,
  description: null,
  url: null,
  icon: null,
  configSchema: null,
  jobs: null,
  checks: null,
  info: null,
  defaultsBytes: 0,
  secretDefaults: null,
};

/** Changes registrations in one transaction, during which no slug moves. */
function changeRegistry<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  return retryWhenBusy(() =>
    inTransaction(pool, 'begin', async (client) => {
      await run(client, LOCK_REGISTRY, []);
      return work(client);
    }),
  );
}

/** Reads a plugin. Until the transaction ends, no record can be attached to it. */
async function lockPlugin(client: pg.ClientBase, id: number): Promise<StoredPlugin | null> {
  await run(client, LOCK_PLUGIN, [id]);
  const [row] = await run(client, READ_PLUGIN, [id]);
  return row === undefined ? null : STORED.read(row);
}

async function idsOf(
  connection: pg.Pool | pg.ClientBase,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await run(connection, IDS_OF_SLUGS, [slugs]);
  return new Map(rows.map((row) => [textAt(row, 0), numberAt(row, 1)]));
}

/** Returns the id of a plugin; null if no plugin has the slug. */
async function idIn(client: pg.ClientBase, ref: PluginRef): Promise<number | null> {
  if (typeof ref === 'number') return ref;
  const slug = slugIn(ref);
  return (await idsOf(client, [slug])).get(slug) ?? null;
}

/** Draws an unused id. If a record is being attached to the id, waits and treats the id as used. */
async function drawId(client: pg.ClientBase): Promise<number> {
  for (;;) {
    const [row = []] = await run(client, NEXT_ID, []);
    const id = numberAt(row, 0);
    await run(client, LOCK_PLUGIN, [id]);
    const [used = []] = await run(client, IS_USED, [id]);
    if (!flagAt(used, 0)) return id;
  }
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
  if (JSON.stringify(row.jobs ?? undefined) !== JSON.stringify(plugin.jobs)) return false;
  if (row.secretDefaults === null || key === null) return row.secretDefaults === null && key === null;
  return areStoredDefaults(key, plugin.id, { stored: row.secretDefaults, values: secretDefaults });
}

const COUNTED = columns((row) => ({
  total: row.number('count(*)'),
  invalid: row.number('count(*) filter (where r.invalid)'),
}));

const COUNT_RECORDS = prepared('count_records_of_plugin')`select ${COUNTED.sql}
  from config_record r join config_family f on f.project_id = r.project_id and f.family = r.family
  where r.plugin = $1 and not r.deleted`;

/**
 * Counts the live records of a plugin, and how many are marked. Records of deleted projects, which have no families, do not
 * count.
 */
async function countRecords(client: pg.ClientBase, plugin: number): Promise<RecordCounts> {
  const [row = []] = await run(client, COUNT_RECORDS, [plugin]);
  const { total, invalid } = COUNTED.read(row);
  return { total, invalid: total > COUNTED_RECORDS_MAX ? null : invalid };
}
