import type { LogEntry, LogFilter, PageRequest } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import { wordsOf, type LogKinds } from './kinds.ts';

/** An entry, with the place of its kind among those of its record. */
export const ENTRY = columns((row) => ({
  timestamp: row.date('timestamp'),
  id: row.text('id'),
  instanceId: row.text('instance_id'),
  plugin: row.number('plugin'),
  kind: row.number('kind'),
  message: row.text('message'),
  sourceType: row.textOrNull('source_type'),
}));

/** Its columns, of a table or a subselect. */
export const ENTRY_COLUMNS = (entry: string): string =>
  ENTRY.names.map((column) => `${entry}.${column}`).join(', ');

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

/** The entry as it was taken in, with the source and type that its kind stands for. */
export function entryOf(
  { id, timestamp, plugin, kind, sourceType, message, instanceId }: ReturnType<typeof ENTRY.read>,
  { projectId, id: recordId, kinds }: LogOfRecord,
): LogEntry {
  const { source, type } = wordsOf(sourceType ?? kinds[kind] ?? '');
  return { id, projectId, plugin, recordId, timestamp, source, type, message, instanceId };
}
