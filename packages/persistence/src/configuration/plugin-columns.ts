import type { Plugin } from '@plugin-config/domain';
import { PluginRow } from '../entities/plugin.row.ts';
import { columns } from '../postgres/columns.ts';
import { rowOf } from '../postgres/table.ts';

const ROW = rowOf(PluginRow, 'p', [
  'version',
  'schemaVersion',
  'versioned',
  'info',
  'registryVersion',
  'defaultsBytes',
  'secretDefaults',
  'secretNames',
]);

interface Holding {
  /** SQL for the plugin's id and current schema version. */
  readonly plugin: string;
  readonly current: string;
  /** SQL for the schema version and the pinned version of a record. */
  readonly schemaVersion: string;
  readonly pinnedVersion: string;
}

/**
 * SQL for a lateral join of the version `v` whose registration holds for a record, if it is not the current one: its pinned
 * version, or the last one with its schema version.
 */
export const versionHolding = ({
  plugin,
  current,
  schemaVersion,
  pinnedVersion,
}: Holding): string => `lateral (
      select v.* from plugin_version v
      where (${pinnedVersion} is not null or ${schemaVersion} <> ${current}) and v.plugin = ${plugin}
        and case when ${pinnedVersion} is null then v.schema_version = ${schemaVersion} else v.version = ${pinnedVersion} end
      order by v.number desc limit 1
    ) v`;

/** SQL for whether a record `r` is outdated. A plugin that is not registered has schema version 1 and no versions. */
export const IS_OUTDATED = `exists (
    select from plugin o where o.id = r.plugin and (
      r.schema_version < o.schema_version or (
        select v.state from plugin_version v where v.plugin = o.id and v.version = r.pinned_version
      ) in ('deprecated', 'withdrawn')
    )
  )`;

/** The columns of a registered plugin `p`, without null fields. */
export const PLUGIN = columns((row): Plugin => {
  const fields = Object.entries(row.all(ROW)).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as unknown as Plugin;
});
