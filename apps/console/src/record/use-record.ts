import type { ConfigRecord } from '@plugin-config/client';
import { notifyManager, useQuery, type QueryClient } from '@tanstack/react-query';
import { recordKey, recordsOf } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';

/** A record as last received, with its entity tag, so it can be the condition of a write. */
export function useRecord(at: RecordRef) {
  return useQuery({
    queryKey: recordKey(at),
    queryFn: async ({ signal }) => recordsOf(at).retrieve(at.id, { signal }),
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
