import type { ConfigRecord } from '@plugin-config/client';
import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { recordKey, recordsOf } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';
import { entriesToChange, ENTRY, recordChangeOf, type Changes } from './changes.ts';

/** The properties of each screen of a record. */
export interface ScreenProperties {
  readonly at: RecordRef;
  readonly record: ConfigRecord;
}

/** A record as last received, with its entity tag, so it can be the condition of a write. */
export function useRecord(at: RecordRef) {
  return useRead(recordKey(at), async (options) => recordsOf(at).retrieve(at.id, options), {
    structuralSharing: false,
  });
}

/** Shows a written record at once, in the same render as the changes that `alongside` makes, and refetches its queries. */
export async function showWritten(
  queries: QueryClient,
  at: RecordRef,
  written: ConfigRecord,
  alongside: () => void,
): Promise<void> {
  await queries.cancelQueries({ queryKey: recordKey(at), exact: true });
  notifyManager.batch(() => {
    queries.setQueryData(recordKey(at), written);
    notifyManager.schedule(alongside);
  });
  void queries.invalidateQueries({ queryKey: recordKey(at) });
}

/** Writes changes unless the record has changed. */
export async function writeChanges(
  at: RecordRef,
  record: ConfigRecord,
  changes: Changes,
): Promise<ConfigRecord> {
  const condition = { ifMatch: record };
  return [...changes.keys()].some((field) => field.startsWith(ENTRY))
    ? recordsOf(at).patchConfiguration(at.id, entriesToChange(changes), condition)
    : recordsOf(at).update(at.id, recordChangeOf(changes), condition);
}
