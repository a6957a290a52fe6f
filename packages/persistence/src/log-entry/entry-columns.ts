import type { LogEntry } from '@plugin-config/domain';
import { dateAt, numberAt, textAt } from '../cells.ts';
import type { Cells } from '../statement.ts';

export const ENTRY_COLUMNS = (entry: string): string =>
  ['timestamp', 'id', 'instance_id', 'plugin', 'source', 'type', 'message']
    .map((column) => `${entry}.${column}`)
    .join(', ');

/** The entry whose columns begin at `at`. */
export function entryAt(
  cells: Cells,
  at: number,
  { projectId, id: recordId }: { readonly projectId: number; readonly id: number },
): LogEntry {
  return {
    id: textAt(cells, at + 1),
    projectId,
    plugin: numberAt(cells, at + 3),
    recordId,
    timestamp: dateAt(cells, at),
    source: textAt(cells, at + 4),
    type: textAt(cells, at + 5),
    message: textAt(cells, at + 6),
    instanceId: textAt(cells, at + 2),
  };
}
