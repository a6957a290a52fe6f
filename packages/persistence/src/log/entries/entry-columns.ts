import type { LogEntry, LogFilter, LogRef, PageRequest } from '@plugin-config/domain';
import { columns } from '../../postgres/columns.ts';
import { readSourceAndType } from './kinds.ts';

/** The columns of an entry, except its record. */
export const ENTRY = columns((row) => ({
  timestamp: row.date('timestamp'),
  id: row.text('id'),
  instanceId: row.text('instance_id'),
  plugin: row.number('plugin'),
  message: row.text('message'),
  ...readSourceAndType(row.number('kind'), row.textOrNull('source_type')),
}));

export const KEY = columns((row) => ({ timestamp: row.date('timestamp'), id: row.text('id') }));

/** Lists the columns of an entry with the alias of a table or subselect. */
export const ENTRY_COLUMNS = (entry: string): string =>
  ENTRY.names.map((column) => `${entry}.${column}`).join(', ');

export const KEY_COLUMNS = (entry: string): string =>
  KEY.names.map((column) => `${entry}.${column}`).join(', ');

export interface PageOfEntries {
  readonly filter: LogFilter;
  readonly page: PageRequest;
}

export function entryOf(
  entry: ReturnType<typeof ENTRY.read>,
  { projectId, id: recordId }: Pick<LogRef, 'projectId' | 'id'>,
): LogEntry {
  return { ...entry, projectId, recordId };
}
