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

/** The columns of a registered plugin `p`, without null fields. */
export const PLUGIN = columns((row): Plugin => {
  const fields = Object.entries(row.all(ROW)).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as unknown as Plugin;
});
