import type { ConfigField, Plugin } from '@plugin-config/domain';
import { numberAt, textAt, textOrNullAt } from '../postgres/cells.ts';
import type { Cells } from '../postgres/statement.ts';

/** A plugin `p`. */
export const PLUGIN_COLUMNS = 'p.id, p.name, p.description, p.url, p.icon, p.config_schema';

/** The plugin whose columns begin at `at`; what was not registered of it is left out. */
export function pluginAt(cells: Cells, at: number): Plugin {
  const [description, url, icon, schema] = [2, 3, 4, 5].map((column) => textOrNullAt(cells, at + column));
  return {
    id: numberAt(cells, at),
    name: textAt(cells, at + 1),
    ...(description != null && { description }),
    ...(url != null && { url }),
    ...(icon != null && { icon }),
    ...(schema != null && { configSchema: JSON.parse(schema) as ConfigField[] }),
  };
}

export function pluginOrNullAt(cells: Cells, at: number): Plugin | null {
  return cells[at] === null ? null : pluginAt(cells, at);
}
