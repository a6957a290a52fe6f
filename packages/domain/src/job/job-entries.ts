import type { RecordRef } from '../project/family.ts';
import { storableText } from '../log/storable-text.ts';
import type { LogEntry } from '../log/log-entry.ts';
import type { Randomness } from '../kernel/randomness.ts';
import type { JobLine } from './job-handler.ts';
import { FAMILY } from '../vocabulary/vocabulary.ts';

/** The worker that writes job lines. */
export interface LineWriter {
  readonly randomness: Randomness;
  readonly instanceId: string;
}

interface JobLines {
  readonly record: RecordRef & { readonly plugin: number };
  readonly at: Date;
  readonly lines: readonly JobLine[];
}

/**
 * Converts the lines of a job to log entries; none if its record has no log. Entries with the same time are sorted by
 * id, so the ids increase with the lines.
 */
export function jobEntries(
  { randomness, instanceId }: LineWriter,
  { record, at, lines }: JobLines,
): readonly LogEntry[] {
  if (!FAMILY[record.family].hasLog) return [];
  const { id: recordId, projectId, plugin } = record;
  const ids = lines.map(() => randomness.uuid()).toSorted();
  return lines.map(({ type, message }, i) => ({
    id: ids[i] ?? '',
    projectId,
    plugin,
    recordId,
    timestamp: at,
    source: 'SYSTEM',
    type,
    message: storableText(message),
    instanceId,
  }));
}
