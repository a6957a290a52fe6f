import { PluginConfigError } from '@plugin-config/client';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import { LivenessNote } from '../live/liveness-note.tsx';
import { useFamily, useLiveFamily } from '../live/use-family.ts';
import { may } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import { attachPath, FAMILIES, familyPath, type FamilyRef } from '../shell/addresses.ts';
import { Empty } from '../ui/empty.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { QueryResult } from '../ui/query-result.tsx';
import { Title } from '../ui/title.tsx';
import { DeletedRecords } from './deleted-records.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersOf, queryOf, type Filters } from './filters.ts';
import { RecordTable } from './record-table.tsx';
import './pipeline.css';

const NO_FILTERS = filtersOf(new URLSearchParams());

/** The records of a family, in order. */
export function Pipeline({ at }: { readonly at: FamilyRef }) {
  const mayWrite = may(useKey(), 'plugin:write');
  const liveness = useLiveFamily(at);
  const family = useFamily(at);
  const { error } = family;
  const [query, setQuery] = useSearchParams();
  const filters = useMemo(() => filtersOf(query), [query]);
  const show = (next: Filters, replace: boolean): void => setQuery(queryOf(next), { replace });
  const change = (changed: Partial<Filters>): void =>
    show({ ...filters, ...changed }, changed.search !== undefined);
  const title = FAMILIES[at.family];
  if (error instanceof PluginConfigError && error.status === 403) {
    return (
      <>
        <Title>Not allowed</Title>
        <h1>Not allowed</h1>
        <ErrorNote error={error} />
      </>
    );
  }
  return (
    <>
      <Title>{title}</Title>
      <div className="pipeline-title">
        <h1>{title}</h1>
        <LivenessNote liveness={liveness} />
        <Link href={`${familyPath(at)}/activity`}>History</Link>
        <Link href={`${familyPath(at)}/runtimes`}>Runtimes</Link>
        {mayWrite && (
          <Link href={attachPath(at)} className="button">
            Attach a plugin
          </Link>
        )}
      </div>
      <QueryResult query={family} what="records">
        {({ records }) => (
          <>
            <FilterBar filters={filters} records={records} onChange={change} />
            {filters.deleted ? (
              <DeletedRecords at={at} filters={filters} />
            ) : (
              <RecordTable
                at={at}
                records={records}
                filters={filters}
                mayWrite={mayWrite}
                nothing={
                  records.length === 0 ? (
                    <NothingAttached at={at} mayWrite={mayWrite} />
                  ) : (
                    <Empty title="No matching records">
                      <button type="button" onClick={() => show(NO_FILTERS, false)}>
                        Clear filters
                      </button>
                    </Empty>
                  )
                }
              />
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

function NothingAttached({ at, mayWrite }: { readonly at: FamilyRef; readonly mayWrite: boolean }) {
  return (
    <Empty title="No plugins attached yet">
      {mayWrite ? (
        <p>
          <Link href={attachPath(at)}>Attach your first plugin</Link>. It runs once you enable it.
        </p>
      ) : (
        <p>
          Attaching a plugin requires a key with the <code>plugin:write</code> scope.
        </p>
      )}
    </Empty>
  );
}
