import type { LogEntry, LogFilter, PageRequest } from '@plugin-config/domain';
import { dateAt, numberAt, textAt, textOrNullAt } from '../postgres/cells.ts';
import type { Cells } from '../postgres/statement.ts';
import { wordsOf, type LogKinds } from './kinds.ts';

export const ENTRY_COLUMNS = (entry: string): string =>
  ['timestamp', 'id', 'instance_id', 'plugin', 'kind', 'message', 'source_type']
    .map((column) => `${entry}.${column}`)
    .join(', ');

/** Whose entries are read, and the kinds that they refer to. */
export interface LogOfRecord {
  readonly projectId: number;
  readonly id: number;
  readonly kinds: LogKinds;
}

export interface PageOfEntries {
  readonly filter: LogFilter;
  readonly page: PageRequest;
}

/** The entry whose columns begin at `at`. */
export function entryAt(cells: Cells, at: number, { projectId, id: recordId, kinds }: LogOfRecord): LogEntry {
  const name = textOrNullAt(cells, at + 6) ?? kinds[numberAt(cells, at + 4)] ?? '';
  return {
    id: textAt(cells, at + 1),
    projectId,
    plugin: numberAt(cells, at + 3),
    recordId,
    timestamp: dateAt(cells, at),
    ...wordsOf(name),
    message: textAt(cells, at + 5),
    instanceId: textAt(cells, at + 2),
  };
}
