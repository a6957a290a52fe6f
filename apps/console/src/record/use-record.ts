import type { ConfigRecord } from '@plugin-config/client';
import { notifyManager, useQuery, type QueryClient } from '@tanstack/react-query';
import { recordKey, recordsOf } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';

/** One record, as the service answered it last: with its tag, so that it can be the condition of a write. */
export function useRecord(at: RecordRef) {
  return useQuery({
    queryKey: recordKey(at),
    queryFn: async ({ signal }) => recordsOf(at).retrieve(at.id, { signal }),
    structuralSharing: false,
  });
}

/** Shows the answer of a write at once, together with what `alongside` changes, and reads again what is known of the record. */
export async function showWritten(
  queries: QueryClient,
  at: RecordRef,
  answer: ConfigRecord,
  alongside: () => void,
): Promise<void> {
  await queries.cancelQueries({ queryKey: recordKey(at), exact: true });
  notifyManager.batch(() => {
    queries.setQueryData(recordKey(at), answer);
    notifyManager.schedule(alongside);
  });
  void queries.invalidateQueries({ queryKey: recordKey(at) });
}
