import type { ConfigRecord } from '../record/config-record.ts';
import { storableText } from './storable-text.ts';
import type { LogEntry } from './log-entry.ts';

interface Line {
  readonly id: string;
  readonly record: Pick<ConfigRecord, 'id' | 'projectId' | 'plugin'>;
  readonly timestamp: Date;
  readonly type: string;
  readonly message: string;
  readonly instanceId: string;
}

/** A line that the service itself writes into a record's log. */
export function logLine({ record, message, ...line }: Line): LogEntry {
  const { id: recordId, projectId, plugin } = record;
  return { ...line, recordId, projectId, plugin, source: 'SYSTEM', message: storableText(message) };
}
