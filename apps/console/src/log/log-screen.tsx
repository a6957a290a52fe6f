import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { recordKey } from '../live/use-family.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { QueryResult } from '../ui/query-result.tsx';
import { logAddressOf, logQueryOf, type LogAddress } from './log-address.ts';
import { LogFilterForm } from './log-filter-form.tsx';
import { LogHistogram } from './log-histogram.tsx';
import { LogView } from './log-view.tsx';
import './log.css';

/** The live log of a record. Its address holds the filters. */
export function LogScreen({ at }: { readonly at: RecordRef }) {
  const query = useSearch();
  const [, navigate] = useLocation();
  const address = logAddressOf(query);
  const [times, setTimes] = useState(0);
  const addressOf = (next: LogAddress): string => `${recordPath(at)}/logs${logQueryOf(next)}`;
  const show = (next: LogAddress): void => {
    navigate(addressOf(next));
    // Applying the same filters again reloads the log.
    setTimes(times + 1);
  };
  return (
    <section aria-label="Log">
      <LogFilterForm address={address} onChange={show} />
      <LogHistogram at={at} address={address} onChange={show} />
      {address.entry?.timestamp === '' ? (
        <EntryLookup
          at={at}
          entryId={address.entry.id}
          onFound={(timestamp) => {
            const entry = { id: address.entry?.id ?? '', timestamp };
            navigate(addressOf({ ...address, entry }), { replace: true });
          }}
        />
      ) : (
        <LogView key={`${query} ${times}`} at={at} address={address} onChange={show} />
      )}
    </section>
  );
}

interface LookupProperties {
  readonly at: RecordRef;
  readonly entryId: string;
  readonly onFound: (timestamp: string) => void;
}

/** Looks up the time of an entry by its id. */
function EntryLookup({ at, entryId, onFound }: LookupProperties) {
  const query = useQuery({
    queryKey: [...recordKey(at), 'log-entry', entryId],
    queryFn: async ({ signal }) =>
      service.project(at.projectId).pluginConfigs.logEntry(at.id, entryId, {}, { signal }),
    staleTime: Infinity,
  });
  const timestamp = query.data?.timestamp;
  useEffect(() => {
    if (timestamp !== undefined) onFound(timestamp);
  }, [timestamp, onFound]);
  return (
    <QueryResult query={query} what="entry">
      {() => null}
    </QueryResult>
  );
}
