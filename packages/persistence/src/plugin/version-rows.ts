import type { PluginVersion } from '@plugin-config/domain';
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

const WRITTEN = writtenOf(PluginVersionRow);

const STORE_VERSION = prepared('store_plugin_version')`
  insert into plugin_version (${WRITTEN.names}) values (${WRITTEN.parameters(1)})
  on conflict (plugin, version) do update set ${WRITTEN.assignments(1)}`;

const STORE_INFOS = prepared('store_infos_of_versions')`
  update plugin_version v set info = u.info from unnest($2::text[], $3::text[]) as u (version, info)
  where v.plugin = $1 and v.version = u.version`;

const REMOVE_VERSIONS = prepared('remove_versions')`delete from plugin_version where plugin = $1`;

/** Returns the versions of a plugin in the order of their registration. */
export async function readVersions(
  client: pg.Pool | pg.ClientBase,
  plugin: number,
): Promise<readonly StoredVersion[]> {
  return (await run(client, READ_VERSIONS, [plugin])).map((row) => ROW.read(row));
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

/** Returns a version without the fields that only the store needs, and without null fields of its registration. */
export function versionOf({
  version,
  schemaVersion,
  configSchema,
  jobs,
  checks,
  migrations,
  examples,
  state,
  message,
  upgradeBy,
  registeredAt,
}: StoredVersion): PluginVersion {
  return {
    version,
    schemaVersion,
    ...(configSchema !== null && { configSchema }),
    ...(jobs !== null && { jobs }),
    ...(checks !== null && { checks }),
    migrations,
    examples,
    state,
    message,
    upgradeBy,
    registeredAt,
  };
}
