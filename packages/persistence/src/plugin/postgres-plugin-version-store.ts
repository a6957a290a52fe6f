import {
  changeVersion,
  checkVersion,
  declaresNothing,
  type Author,
  type ListedVersion,
  type PluginRef,
  type PluginVersionStore,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import { serviceKey } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { jsonSchemas } from '../json-schema/ajv-json-schemas.ts';
import { countRecords, recordsByVersion } from './count-records.ts';
import { makeCurrent } from './make-current.ts';
import {
  changeRegistry,
  idIn,
  incrementRegistryVersion,
  lockPlugin,
  storePlugin,
  type StoredPlugin,
} from './registry.ts';
import { columns } from '../postgres/columns.ts';
import { pageOf } from '../postgres/read-page.ts';
import { queueDeprecated } from '../webhook/queue-deprecated.ts';
import { upgradeCandidates } from './upgrade-candidates.ts';
import {
  hasContent,
  newVersion,
  readMigrations,
  readVersions,
  removeVersions,
  storeVersion,
  VERSION,
  versionOf,
  type StoredVersion,
} from './version-rows.ts';

/** Each is a separate statement with its own plan. */
const pageOfProjects = (projects: 'all' | 'some') =>
  pageOf({
    name: `page_of_plugin_versions_${projects}`,
    item: columns((row): ListedVersion => ({
      ...row.all(VERSION),
      records: row.numberOrNull(`(${recordsByVersion(projects)} ->> v.version)::integer`),
    })),
    from: 'plugin_version v where v.plugin = $3',
    order: 'number desc',
    bytes: ['config_schema', 'jobs', 'migrations', 'examples']
      .map((column) => `coalesce(octet_length(p.${column}::text), 0)`)
      .join(' + '),
  });

const PAGE = pageOfProjects('all');
const PAGE_OF_PROJECTS = pageOfProjects('some');

type VersionDatabase = Pick<EncryptedDatabase, 'pool' | 'isDry' | 'masterKeys' | 'configurations'>;

export function postgresPluginVersionStore(database: VersionDatabase): PluginVersionStore {
  const { pool, masterKeys, configurations } = database;
  return {
    page: async (ref, projectIds, page) => {
      const id = await idIn(pool, ref);
      if (id === null) return null;
      const found =
        projectIds.length === 0
          ? await PAGE.read(pool, page, [id])
          : await PAGE_OF_PROJECTS.read(pool, page, [id, projectIds]);
      return found.count === 0 ? null : found;
    },

    target: async (plugin, pinnedVersion, schemaVersion) => {
      const rows = await readMigrations(pool, plugin);
      const held = { plugin, schemaVersion: schemaVersion ?? null, pinnedVersion };
      const registration = (await configurations.registrations.readHeld(pool, [held]))(held);
      const found = rows.find(({ version }) => version === (pinnedVersion ?? registration.version));
      return found === undefined ? null : { ...found, migrations: rows, registration };
    },

    candidates: (plugin, after) => upgradeCandidates(database, plugin, after),

    countRecords: async (plugin) => (await countRecords(pool, plugin)).total,

    register: (ref, content, secretDefaults, author) =>
      changeLocked(database, ref, async (client, row) => {
        const rows = await readVersions(client, row.id);
        const key = secretDefaults.size === 0 ? null : await serviceKey(client, masterKeys);
        const next = { content, secretDefaults, key };
        const same = rows.find((each) => hasContent(row.id, each, next));
        if (same !== undefined) return versionOf(same);
        const versions = rows.map(versionOf);
        const secretNames = checkVersion(jsonSchemas, { versions, secretNames: row.secretNames }, content);
        const isFirst = versions.every(declaresNothing);
        const stored = newVersion(row, next, {
          number: (rows.at(-1)?.number ?? 0) + 1,
          state: isFirst ? 'current' : 'supported',
          registeredAt: author.at,
        });
        if (isFirst) await removeVersions(client, row.id);
        await storeVersion(client, stored);
        const plugin = { ...row, versioned: true, secretNames };
        if (isFirst) await makeCurrent(client, database, plugin, stored);
        else await storePlugin(client, plugin);
        await addAudit(client, author, row, 'plugin_version_registered', stored);
        return versionOf(stored);
      }),

    change: (ref, version, change, author) =>
      changeLocked(database, ref, async (client, row) => {
        const rows = await readVersions(client, row.id);
        const before = rows.find((each) => each.version === version);
        if (before === undefined) return null;
        const after = changeVersion(before, change);
        if (JSON.stringify(after) === JSON.stringify(before)) return versionOf(before);
        const former = rows.find(({ state }) => state === 'current');
        await storeVersion(client, after);
        if (after.state === 'current' && former !== undefined) {
          await storeVersion(client, { ...former, state: 'supported' });
          await makeCurrent(client, database, { ...row, versioned: true }, after);
        } else if (after.state !== before.state) await incrementRegistryVersion(client);
        await addAudit(client, author, row, 'plugin_version_changed', after);
        if (after.state === 'deprecated' && before.state !== 'deprecated')
          await queueDeprecated(client, row.id, versionOf(after), author.at);
        return versionOf(after);
      }),
  };
}

/** Changes the versions of a registered plugin, which is locked. Resolves to null if it is not registered. */
function changeLocked<T>(
  { pool }: VersionDatabase,
  ref: PluginRef,
  change: (client: pg.ClientBase, row: StoredPlugin) => Promise<T | null>,
): Promise<T | null> {
  return changeRegistry(pool, async (client) => {
    const id = await idIn(client, ref);
    const row = id === null ? null : await lockPlugin(client, id);
    return row?.name == null ? null : change(client, row);
  });
}

function addAudit(
  client: pg.ClientBase,
  author: Author,
  { id, name }: StoredPlugin,
  action: 'plugin_version_registered' | 'plugin_version_changed',
  { version }: StoredVersion,
): Promise<void> {
  return insertAudit(client, author, action, { type: 'plugin', id, name: `${name} ${version}` });
}
