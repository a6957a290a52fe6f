import { PluginConfigError } from '@plugin-config/client';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import { LiveNote } from '../live/live-note.tsx';
import { useFamily } from '../live/use-family.ts';
import { useMayWrite } from '../session/session.ts';
import { FAMILIES, familyPath, type FamilyRef } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { QueryResult } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { DeletedRecords } from './deleted-records.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersOf, queryOf, type Filters } from './filters.ts';
import { RecordTable } from './record-table.tsx';
import './pipeline.css';

/** The records of a family, in order. */
export function Pipeline({ at }: { readonly at: FamilyRef }) {
  const mayWrite = useMayWrite();
  const family = useFamily(at);
  const { error } = family;
  const [query, setQuery] = useSearchParams();
  const filters = useMemo(() => filtersOf(query), [query]);
  const change = (next: Filters): void =>
    setQuery(queryOf(next), { replace: next.search !== filters.search });
  if (error instanceof PluginConfigError && error.status === 403) {
    return (
      <>
        <Heading title="Not allowed" />
        <ErrorNote error={error} />
      </>
    );
  }
  return (
    <>
      <div className="pipeline-title">
        <Heading title={FAMILIES[at.family]} />
        <LiveNote at={at} />
        <Link href={`${familyPath(at)}/activity`}>History</Link>
        <Link href={`${familyPath(at)}/runtimes`}>Runtimes</Link>
        {mayWrite && (
          <Link href={`${familyPath(at)}/attach`} className="button">
            Attach a plugin
          </Link>
        )}
      </div>
      <QueryResult query={family} what="records">
        {({ records }) => (
          <>
            <FilterBar filters={filters} records={records} onChange={change} />
            {filters.deleted === 'true' ? (
              <DeletedRecords at={at} filters={filters} />
            ) : (
              <RecordTable at={at} records={records} filters={filters}>
                {records.length === 0 ? (
                  <NothingAttached at={at} />
                ) : (
                  <Empty title="No matching records">
                    <Link href={familyPath(at)}>Clear filters</Link>
                  </Empty>
                )}
              </RecordTable>
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

function NothingAttached({ at }: { readonly at: FamilyRef }) {
  const mayWrite = useMayWrite();
  return (
    <Empty title="No plugins attached yet">
      <p>
        {mayWrite ? (
          <>
            <Link href={`${familyPath(at)}/attach`}>Attach your first plugin</Link>. It runs once you enable
            it.
          </>
        ) : (
          'Attaching a plugin requires a key with the plugin:write scope.'
        )}
      </p>
    </Empty>
  );
}
