import {
  checkOnlyTexts,
  defaultsOf,
  INTEGER_MAX,
  mergeSecretNames,
  pluginInfo,
  SLUG_PREFIX,
  slugIn,
  slugTaken,
  UNVERSIONED,
  writeValues,
  type Author,
  type NewPlugin,
  type Plugin,
  type PluginStore,
  type Values,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import type { DataKey } from '../configuration/ciphertext.ts';
import { serviceKey } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { PLUGIN } from '../configuration/plugin-columns.ts';
import { areStoredDefaults, encryptDefaults } from '../configuration/registrations.ts';
import { flagAt, numberAt } from '../postgres/columns.ts';
import { pageOf } from '../postgres/read-page.ts';
import { prepared, run } from '../postgres/statement.ts';
import { pluginAs } from './plugin-as.ts';
import { readVersions, removeVersions, storeInfos, storeVersion, versionOf } from './version-rows.ts';
import { attachedRecords } from './attached-records.ts';
import { countRecords } from './count-records.ts';
import { clearMarks, markInvalid } from './mark-invalid.ts';
import {
  changeRegistry,
  idIn,
  idsOf,
  LOCK_PLUGIN,
  lockPlugin,
  REMOVED,
  storePlugin,
  type StoredPlugin,
} from './registry.ts';

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
        const content = row?.versioned === true ? withVersionContent(row, fields) : fields;
        const plugin = { id, ...(slug != null && { slug }), ...content };
        const key = secretDefaults.size === 0 ? null : await serviceKey(client, masterKeys);
        const records = await countRecords(client, id);
        if (row?.versioned === true) {
          if (row.info !== pluginInfo(plugin)) await storeTexts(client, author, row, plugin);
          return { ...plugin, records };
        }
        if (isUnchanged(row, { plugin, secretDefaults, key })) return { ...plugin, records };
        const defaults = defaultsOf(plugin.configSchema ?? [], secretDefaults);
        const secretNames = [...mergeSecretNames(row?.secretNames ?? [], plugin)];
        const stored = {
          info: pluginInfo(plugin),
          defaultsBytes: defaults.size === 0 ? 0 : Buffer.byteLength(writeValues(defaults)),
          secretDefaults: key && encryptDefaults(key, id, secretDefaults),
        };
        await storePlugin(client, { ...REMOVED, ...plugin, ...stored, secretNames });
        const { configSchema = null, jobs = null, checks = null } = plugin;
        const unversioned = {
          ...UNVERSIONED_ROW,
          plugin: id,
          configSchema,
          jobs,
          checks,
          registeredAt: author.at,
        };
        await storeVersion(client, { ...unversioned, ...stored });
        const subject = { type: 'plugin', id, name: plugin.name } as const;
        await insertAudit(client, author, 'plugin_registered', subject);
        // A dry run that would not count them need not make the writers of all these records wait.
        if (isDry && records.invalid === null) return { ...plugin, records };
        const judging = { plugin, defaults, secretNames: new Set(secretNames), schemaVersion: null };
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

const UNVERSIONED_ROW = {
  version: UNVERSIONED,
  number: 1,
  schemaVersion: 1,
  migrations: [],
  examples: [],
  state: 'current',
  message: null,
  upgradeBy: null,
} as const;

/** Adds the contents of the current version to the texts of a plugin that has versions. */
function withVersionContent(row: StoredPlugin, texts: Omit<NewPlugin, 'id' | 'slug'>): typeof texts {
  checkOnlyTexts(texts);
  const { configSchema, jobs, checks } = row;
  return {
    ...texts,
    ...(configSchema !== null && { configSchema }),
    ...(jobs !== null && { jobs }),
    ...(checks !== null && { checks }),
  };
}

/** Stores the texts of a plugin that has versions. */
async function storeTexts(
  client: pg.ClientBase,
  author: Author,
  row: StoredPlugin,
  plugin: Plugin,
): Promise<void> {
  const { slug = null, name, description = null, url = null, icon = null } = plugin;
  const renamed = { ...row, slug, name, description, url, icon };
  await storePlugin(client, { ...renamed, info: pluginInfo(plugin) });
  const versions = await readVersions(client, plugin.id);
  const infos = versions.map(
    (each) => [each.version, pluginInfo(pluginAs(renamed, versionOf(each)))] as const,
  );
  await storeInfos(client, plugin.id, new Map(infos));
  await insertAudit(client, author, 'plugin_registered', { type: 'plugin', id: plugin.id, name });
}

interface NewRegistration {
  readonly plugin: Plugin;
  readonly secretDefaults: Values;
  /** The data key of the service; null if there are no secret defaults. */
  readonly key: DataKey | null;
}

function isUnchanged(row: StoredPlugin | null, { plugin, secretDefaults, key }: NewRegistration): boolean {
  if (row === null || row.info !== pluginInfo(plugin)) return false;
  const { jobs = null, configSchema = null } = plugin;
  if (JSON.stringify([row.jobs, row.configSchema]) !== JSON.stringify([jobs, configSchema])) return false;
  return areStoredDefaults(key, plugin.id, { stored: row.secretDefaults, values: secretDefaults });
}
