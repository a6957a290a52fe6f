import type { LogEntry, LogFilter, PageRequest } from '@plugin-config/domain';
import { columns } from '../../postgres/columns.ts';
import { wordsOf, type LogKinds } from '../kinds/kinds.ts';

/** The columns of an entry. `kind` is its index among the kinds of the record. */
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

/** The record of a log, and the kinds that its entries refer to. */
export interface LogOfRecord {
  readonly projectId: number;
  readonly id: number;
  readonly kinds: LogKinds;
}

export interface PageOfEntries {
  readonly filter: LogFilter;
  readonly page: PageRequest;
}

/** The stored entry with its source and type. */
export function entryOf(
  { id, timestamp, plugin, kind, sourceType, message, instanceId }: ReturnType<typeof ENTRY.read>,
  { projectId, id: recordId, kinds }: LogOfRecord,
): LogEntry {
  const { source, type } = wordsOf(sourceType ?? kinds[kind] ?? '');
  return { id, projectId, plugin, recordId, timestamp, source, type, message, instanceId };
}
