import { useState } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { recordKey } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { logAddressOf, logPath, type LogAddress, type LogProperties } from './log-address.ts';
import { LogFilterForm } from './log-filter-form.tsx';
import { LogHistogram } from './log-histogram.tsx';
import { LogView } from './log-view.tsx';
import './log.css';

/** The live log of a record. Its address holds the filters. */
export function LogScreen({ at }: { readonly at: RecordRef }) {
  const query = useSearch();
  const [, navigate] = useLocation();
  const [times, setTimes] = useState(0);
  const address = logAddressOf(query);
  const onChange = (next: LogAddress): void => {
    navigate(logPath(at, next));
    // Applying the same filters again reloads the log.
    setTimes(times + 1);
  };
  const properties = { at, address, onChange };
  return (
    <section className="log-view" aria-label="Log">
      <LogFilterForm {...properties} />
      <LogHistogram {...properties} />
      {address.entry?.timestamp === '' ? (
        <EntryLookup {...properties} entryId={address.entry.id} />
      ) : (
        <LogView key={`${query} ${times}`} {...properties} />
      )}
    </section>
  );
}

/** Looks up the time of an entry by its id. */
function EntryLookup({ at, address, entryId }: LogProperties & { readonly entryId: string }) {
  const query = useRead(
    [...recordKey(at), 'log-entry', entryId],
    async (options) => service.project(at.projectId).pluginConfigs.logEntry(at.id, entryId, {}, options),
    { staleTime: Infinity },
  );
  return (
    <QueryResult query={query} what="entry">
      {({ id, timestamp }) => <Redirect replace to={logPath(at, { ...address, entry: { id, timestamp } })} />}
    </QueryResult>
  );
}
