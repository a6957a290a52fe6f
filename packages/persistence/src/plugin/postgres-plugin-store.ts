import {
  checkOnlyTexts,
  INTEGER_MAX,
  mergeSecretNames,
  pluginInfo,
  SLUG_PREFIX,
  slugIn,
  slugTaken,
  UNVERSIONED,
  type PluginStore,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import { serviceKey } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { PLUGIN } from '../configuration/plugin-columns.ts';
import { flagAt, numberAt } from '../postgres/columns.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run } from '../postgres/statement.ts';
import { pluginAs } from './plugin-as.ts';
import { hasContent, newVersion, readVersions, removeVersions, storeVersion } from './version-rows.ts';
import { attachedRecords } from './attached-records.ts';
import { countRecords } from './count-records.ts';
import { makeCurrent } from './make-current.ts';
import { clearMarks } from './mark-invalid.ts';
import { changeRegistry, idIn, idsOf, LOCK_PLUGIN, lockPlugin, REMOVED, storePlugin } from './registry.ts';

const FIND_BY_SLUG = prepared('plugin_by_slug')`select ${PLUGIN.sql} from plugin p where p.slug = $1`;

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

const PAGE = pageOf({
  name: 'page_of_plugins',
  item: PLUGIN,
  from: 'plugin p where p.info is not null',
  order: 'id',
  bytes:
    'octet_length(p.info) + coalesce(octet_length(p.config_schema::text), 0) + coalesce(octet_length(p.jobs::text), 0)',
});

export function postgresPluginStore(
  database: Pick<EncryptedDatabase, 'pool' | 'isDry' | 'masterKeys' | 'configurations'>,
): PluginStore {
  const { pool, masterKeys, configurations } = database;
  const registration = async (id: number) => (await configurations.registrations.read(pool, [id]))(id);
  return {
    find: async (ref) => {
      if (typeof ref === 'number') return (await registration(ref)).plugin;
      const [row] = await run(pool, FIND_BY_SLUG, [slugIn(ref)]);
      return row === undefined ? null : PLUGIN.read(row);
    },

    idsOf: (slugs) => idsOf(pool, slugs),

    registration,

    registrationOf: async (record) => (await configurations.registrations.load(pool, [record]))(record),

    page: (page) => PAGE.read(pool, page),

    register: ({ id: ref, slug: wanted, ...fields }, secretDefaults, author) =>
      changeRegistry(pool, async (client) => {
        const id = (await idIn(client, ref)) ?? (await drawId(client));
        const row = await lockPlugin(client, id);
        const slug = typeof ref === 'number' ? (wanted === undefined ? row?.slug : wanted) : slugIn(ref);
        if (slug != null && ((await idIn(client, `${SLUG_PREFIX}${slug}`)) ?? id) !== id) throw slugTaken();
        const { name, description = null, url = null, icon = null, ...declared } = fields;
        const before = row ?? { ...REMOVED, secretNames: [] };
        const next = { ...before, id, slug: slug ?? null, name, description, url, icon };
        if (next.versioned) checkOnlyTexts(declared);
        const plugin = pluginAs(next, next.versioned ? next : declared);
        const key = secretDefaults.size === 0 ? null : await serviceKey(client, masterKeys);
        const declaring = { content: { ...EMPTY_VERSION, ...declared }, secretDefaults, key };
        const info = pluginInfo(plugin);
        const isSame = next.versioned || hasContent(id, { ...EMPTY_VERSION, ...before }, declaring);
        if (isSame && before.info === info) return { ...plugin, records: await countRecords(client, id) };
        await insertAudit(client, author, 'plugin_registered', { type: 'plugin', id, name });
        if (next.versioned) {
          await storePlugin(client, { ...next, info });
          for (const version of await readVersions(client, id))
            await storeVersion(client, { ...version, info: pluginInfo(pluginAs(next, version)) });
          return { ...plugin, records: await countRecords(client, id) };
        }
        const registered = { ...next, secretNames: [...mergeSecretNames(before.secretNames, declared)] };
        const first = { number: 1, state: 'current', registeredAt: author.at } as const;
        const stored = newVersion(registered, declaring, first);
        await storeVersion(client, stored);
        return { ...plugin, records: await makeCurrent(client, database, registered, stored) };
      }),

    remove: (ref, author) =>
      changeRegistry(pool, async (client) => {
        const id = await idIn(client, ref);
        const row = id === null ? null : await lockPlugin(client, id);
        if (id === null || row?.name == null) return false;
        await storePlugin(client, { ...row, ...REMOVED });
        await insertAudit(client, author, 'plugin_removed', { type: 'plugin', id, name: row.name });
        await removeVersions(client, id);
        await clearMarks(client, id, null);
        return true;
      }),

    records: (plugin, filter, page) => attachedRecords(pool, plugin, filter, page),
  };
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

/** The version of a plugin that declares nothing. */
const EMPTY_VERSION = { version: UNVERSIONED, schemaVersion: 1, migrations: [], examples: [] };
