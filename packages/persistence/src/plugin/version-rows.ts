import type { PluginVersion, VersionContent } from '@plugin-config/domain';
import type pg from 'pg';
import { PluginVersionRow } from '../entities/plugin.row.ts';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import { rowOf, writtenOf, type RowOf } from '../postgres/table.ts';

export type StoredVersion = RowOf<typeof PluginVersionRow>;

const ROW = rowOf(PluginVersionRow, 'v');

export const VERSION = columns((row): PluginVersion => versionOf(row.all(ROW)));

const READ_VERSIONS = prepared('versions_of_plugin')`
  select ${ROW.sql} from plugin_version v where v.plugin = $1 order by v.number`;

/** What an upgrade needs of a version. The rest may be large. */
const MIGRATIONS = rowOf(PluginVersionRow, 'v', [
  'plugin',
  'number',
  'configSchema',
  'jobs',
  'checks',
  'examples',
  'info',
  'defaultsBytes',
  'secretDefaults',
  'message',
  'upgradeBy',
  'registeredAt',
]);

const READ_MIGRATIONS = prepared('migrations_of_plugin')`
  select ${MIGRATIONS.sql} from plugin_version v where v.plugin = $1 order by v.number`;

const WRITTEN = writtenOf(PluginVersionRow);

const STORE_VERSION = prepared('store_plugin_version')`
  insert into plugin_version (${WRITTEN.names}) values (${WRITTEN.parameters(1)})
  on conflict (plugin, version) do update set ${WRITTEN.assignments(1)}`;

const STORE_INFOS = prepared('store_infos_of_versions')`
  update plugin_version v set info = u.info from unnest($2::text[], $3::text[]) as u (version, info)
  where v.plugin = $1 and v.version = u.version`;

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

/** Stores what the records of each version show of the plugin. */
export async function storeInfos(
  client: pg.ClientBase,
  plugin: number,
  infos: ReadonlyMap<string, string>,
): Promise<void> {
  await run(client, STORE_INFOS, [plugin, [...infos.keys()], [...infos.values()]]);
}

export async function removeVersions(client: pg.ClientBase, plugin: number): Promise<void> {
  await run(client, REMOVE_VERSIONS, [plugin]);
}

/** Returns what a version declares, without what it does not, in one order. */
export function contentOf({
  version,
  schemaVersion,
  configSchema,
  jobs,
  checks,
  migrations,
  examples,
}: VersionContent | StoredVersion): VersionContent {
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
