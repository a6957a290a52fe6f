import type { LogEntry } from '@plugin-config/domain';
import { dateAt, numberAt, textAt } from '../cells.ts';
import type { Cells } from '../statement.ts';
import type { LogKinds } from './log-kinds.ts';

export const ENTRY_COLUMNS = (entry: string): string =>
  ['timestamp', 'id', 'instance_id', 'plugin', 'kind', 'message']
    .map((column) => `${entry}.${column}`)
    .join(', ');

/** Whose entries are read, and the kinds that they refer to. */
export interface LogOfRecord {
  readonly projectId: number;
  readonly id: number;
  readonly kinds: LogKinds;
}

/** The entry whose columns begin at `at`. */
export function entryAt(cells: Cells, at: number, { projectId, id: recordId, kinds }: LogOfRecord): LogEntry {
  const [source = '', type = ''] = kinds[numberAt(cells, at + 4)]?.split(' ') ?? [];
  return {
    id: textAt(cells, at + 1),
    projectId,
    plugin: numberAt(cells, at + 3),
    recordId,
    timestamp: dateAt(cells, at),
    source,
    type,
    message: textAt(cells, at + 5),
    instanceId: textAt(cells, at + 2),
  };
}
