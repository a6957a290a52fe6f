import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { recordKey } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';

interface Properties {
  readonly at: RecordRef;
  readonly entryId: string;
  readonly onFound: (timestamp: string) => void;
}

/** Finds the time of an entry of which only the id is known. */
export function EntryLookup({ at, entryId, onFound }: Properties) {
  const { data, error, refetch } = useQuery({
    queryKey: [...recordKey(at), 'log-entry', entryId],
    queryFn: async ({ signal }) =>
      service.project(at.projectId).pluginConfigs.logEntry(at.id, entryId, {}, { signal }),
    staleTime: Infinity,
  });
  const timestamp = data?.timestamp;
  useEffect(() => {
    if (timestamp !== undefined) onFound(timestamp);
  }, [timestamp, onFound]);
  return error === null ? (
    <Loading what="the entry" />
  ) : (
    <ErrorNote error={error} retry={() => void refetch()} />
  );
}
