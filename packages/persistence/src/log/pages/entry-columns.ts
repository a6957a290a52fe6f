import type { LogEntry, LogFilter, LogRef, PageRequest } from '@plugin-config/domain';
import { columns } from '../../postgres/columns.ts';
import { readSourceAndType } from '../entries/kinds.ts';

export const ENTRY = columns((row) => ({
  timestamp: row.date('timestamp'),
  id: row.text('id'),
  instanceId: row.text('instance_id'),
  plugin: row.number('plugin'),
  kind: row.number('kind'),
  message: row.text('message'),
  sourceType: row.textOrNull('source_type'),
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
  { kind, sourceType, ...entry }: ReturnType<typeof ENTRY.read>,
  { projectId, id: recordId }: LogRef,
): LogEntry {
  return { ...entry, ...readSourceAndType(kind, sourceType), projectId, recordId };
}
