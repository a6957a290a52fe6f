import type { ConfigField, Plugin } from '@plugin-config/domain';
import type { PluginRow } from '../entities/plugin.row.ts';
import { columns } from '../postgres/columns.ts';

/** The columns of a plugin `p`. */
export const PLUGIN = columns((row): Plugin =>
  pluginOf({
    id: row.number('p.id'),
    name: row.text('p.name'),
    description: row.textOrNull('p.description'),
    url: row.textOrNull('p.url'),
    icon: row.textOrNull('p.icon'),
    configSchema: row.jsonOrNull('p.config_schema') as readonly ConfigField[] | null,
  }),
);

type Registered = Pick<PluginRow, 'id' | 'description' | 'url' | 'icon' | 'configSchema'> & {
  readonly name: string;
};

/** Returns the plugin without null fields. */
export function pluginOf({ id, name, description, url, icon, configSchema }: Registered): Plugin {
  return {
    id,
    name,
    ...(description !== null && { description }),
    ...(url !== null && { url }),
    ...(icon !== null && { icon }),
    ...(configSchema !== null && { configSchema }),
  };
}
