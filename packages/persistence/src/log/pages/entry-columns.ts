import type { LogEntry, LogFilter, LogRef, PageRequest } from '@plugin-config/domain';
import { columns } from '../../postgres/columns.ts';
import { wordsOf } from '../entries/kinds.ts';

/** The columns of an entry. */
export const ENTRY = columns((row) => ({
  timestamp: row.date('timestamp'),
  id: row.text('id'),
  instanceId: row.text('instance_id'),
  plugin: row.number('plugin'),
  kind: row.number('kind'),
  message: row.text('message'),
  sourceType: row.textOrNull('source_type'),
}));

/** The columns of the key of an entry. */
export const KEY = columns((row) => ({ timestamp: row.date('timestamp'), id: row.text('id') }));

/** The columns of an entry, of a table or a subselect. */
export const ENTRY_COLUMNS = (entry: string): string =>
  ENTRY.names.map((column) => `${entry}.${column}`).join(', ');

export const KEY_COLUMNS = (entry: string): string =>
  KEY.names.map((column) => `${entry}.${column}`).join(', ');

export interface PageOfEntries {
  readonly filter: LogFilter;
  readonly page: PageRequest;
}

/** The stored entry with its source and type. */
export function entryOf(
  { kind, sourceType, ...entry }: ReturnType<typeof ENTRY.read>,
  { projectId, id: recordId }: LogRef,
): LogEntry {
  return { ...entry, ...wordsOf(kind, sourceType), projectId, recordId };
}
