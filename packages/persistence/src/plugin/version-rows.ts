import {
  defaultsOf,
  pluginInfo,
  writeValues,
  type PluginVersion,
  type Values,
  type VersionContent,
} from '@plugin-config/domain';
import type pg from 'pg';
import type { DataKey } from '../configuration/ciphertext.ts';
import { areStoredDefaults, encryptDefaults } from '../configuration/registrations.ts';
import { PluginVersionRow } from '../entities/plugin.row.ts';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { fieldsOf, rowOf, writtenOf, type RowOf } from '../postgres/table.ts';
import { pluginAs } from './plugin-as.ts';
import type { StoredPlugin } from './registry.ts';

export type StoredVersion = RowOf<typeof PluginVersionRow>;

const ROW = rowOf(PluginVersionRow, 'v');

export const VERSION = columns((row): PluginVersion => versionOf(row.all(ROW)));

const READ_VERSIONS = prepared('versions_of_plugin')`
  select ${ROW.sql} from plugin_version v where v.plugin = $1 order by v.number`;

/** What an upgrade needs of a version. The rest may be large. */
const MIGRATIONS = fieldsOf(PluginVersionRow, 'v', ['version', 'schemaVersion', 'migrations', 'state']);

const READ_MIGRATIONS = prepared('migrations_of_plugin')`
  select ${MIGRATIONS.sql} from plugin_version v where v.plugin = $1 order by v.number`;

const WRITTEN = writtenOf(PluginVersionRow);

const STORE_VERSION = prepared('store_plugin_version')`
  insert into plugin_version (${WRITTEN.names}) values (${WRITTEN.parameters(1)})
  on conflict (plugin, version) do update set ${WRITTEN.assignments(1)}`;

const REMOVE_VERSIONS = prepared('remove_versions')`
  with upgrade as (delete from plugin_upgrade where plugin = $1)
  delete from plugin_version where plugin = $1`;

/** Returns the versions of a plugin in the order of their registration. */
export async function readVersions(client: pg.ClientBase, plugin: number): Promise<readonly StoredVersion[]> {
  return (await run(client, READ_VERSIONS, [plugin])).map((row) => ROW.read(row));
}

/** Returns the versions of a plugin, with the migrations to each. */
export async function readMigrations(
  connection: pg.Pool,
  plugin: number,
): Promise<readonly ReturnType<typeof MIGRATIONS.read>[]> {
  return (await run(connection, READ_MIGRATIONS, [plugin])).map((row) => MIGRATIONS.read(row));
}

export async function storeVersion(client: pg.ClientBase, version: StoredVersion): Promise<void> {
  await run(client, STORE_VERSION, WRITTEN.values(version));
}

export async function removeVersions(client: pg.ClientBase, plugin: number): Promise<void> {
  await run(client, REMOVE_VERSIONS, [plugin]);
}

/** What a version declares, with the defaults of its secret fields. */
interface NewContent {
  readonly content: VersionContent;
  readonly secretDefaults: Values;
  /** The data key of the service; null if there are no secret defaults. */
  readonly key: DataKey | null;
}

/** Returns a version of a plugin as it is stored. */
export function newVersion(
  plugin: Omit<StoredPlugin, 'registryVersion'>,
  { content, secretDefaults, key }: NewContent,
  more: Pick<StoredVersion, 'number' | 'state' | 'registeredAt'>,
): StoredVersion {
  const { configSchema = null, jobs = null, checks = null } = content;
  const defaults = defaultsOf(configSchema ?? [], secretDefaults);
  return {
    ...content,
    ...more,
    plugin: plugin.id,
    configSchema,
    jobs,
    checks,
    message: null,
    upgradeBy: null,
    info: pluginInfo(pluginAs(plugin, content)),
    defaultsBytes: defaults.size === 0 ? 0 : Buffer.byteLength(writeValues(defaults)),
    secretDefaults: key && encryptDefaults(key, plugin.id, secretDefaults),
  };
}

/** Returns whether a stored version declares the same. */
export function hasContent(
  plugin: number,
  stored: StoredContent & Pick<StoredVersion, 'secretDefaults'>,
  { content, secretDefaults, key }: NewContent,
): boolean {
  if (JSON.stringify(contentOf(content)) !== JSON.stringify(contentOf(stored))) return false;
  return areStoredDefaults(key, plugin, { stored: stored.secretDefaults, values: secretDefaults });
}

type StoredContent = Pick<StoredVersion, keyof VersionContent>;

/** Returns what a version declares, without what it does not, in one order. */
function contentOf({
  version,
  schemaVersion,
  configSchema,
  jobs,
  checks,
  migrations,
  examples,
}: VersionContent | StoredContent): VersionContent {
  return {
    version,
    schemaVersion,
    ...(configSchema != null && { configSchema }),
    ...(jobs != null && { jobs }),
    ...(checks != null && { checks }),
    migrations,
    examples,
  };
}

/** Returns a version without the fields that only the store needs. */
export function versionOf(row: StoredVersion): PluginVersion {
  const { state, message, upgradeBy, registeredAt } = row;
  return { ...contentOf(row), state, message, upgradeBy, registeredAt };
}
