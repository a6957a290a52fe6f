import type { Plugin, VersionContent } from '@plugin-config/domain';
import type { PluginRow } from '../entities/plugin.row.ts';
import type { RowOf } from '../postgres/table.ts';

/** Contents of a version, stored or not. */
type VersionContents = {
  readonly [K in 'configSchema' | 'jobs' | 'checks']?: VersionContent[K] | null;
};

/** Returns a plugin with the contents of a version. */
export function pluginAs(
  {
    id,
    slug,
    name,
    description,
    url,
    icon,
  }: Pick<RowOf<typeof PluginRow>, 'id' | 'slug' | 'name' | 'description' | 'url' | 'icon'>,
  { configSchema, jobs, checks }: VersionContents,
): Plugin {
  return {
    id,
    ...(slug !== null && { slug }),
    name: name ?? '',
    ...(description !== null && { description }),
    ...(url !== null && { url }),
    ...(icon !== null && { icon }),
    ...(configSchema != null && { configSchema }),
    ...(jobs != null && { jobs }),
    ...(checks != null && { checks }),
  };
}
