import { PluginConfigError } from '@plugin-config/client';
import { Plug, Plus, SearchX } from 'lucide-react';
import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useFamily } from '../live/use-family.ts';
import { useMayWrite } from '../session/session.ts';
import { familyPath, type FamilyRef } from '../shell/addresses.ts';
import { FamilyHeading, Heading } from '../shell/heading.tsx';
import { QueryResult } from '../ui/queries.tsx';
import { Empty, ErrorNote, Loading } from '../ui/states.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersOf, queryOf, type Filters } from './filters.ts';
import { RecordTable } from './record-table.tsx';
import './pipeline.css';

const DeletedRecords = lazy(async () => ({
  default: (await import('./deleted-records.tsx')).DeletedRecords,
}));

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
      <FamilyHeading at={at} tab="">
        {mayWrite && (
          <Link href={`${familyPath(at)}/attach`} className="button primary end">
            <Plus />
            Attach a plugin
          </Link>
        )}
      </FamilyHeading>
      <QueryResult query={family} what="records">
        {({ records }) => (
          <>
            <FilterBar filters={filters} records={records} onChange={change} />
            {filters.deleted === 'true' ? (
              <Suspense fallback={<Loading what="records" />}>
                <DeletedRecords at={at} filters={filters} />
              </Suspense>
            ) : (
              <RecordTable at={at} records={records} filters={filters}>
                {records.length === 0 ? (
                  <NothingAttached at={at}>
                    A record attaches a plugin to this project, with its configuration and its place in the
                    order. Plugins run from the first position to the last.
                  </NothingAttached>
                ) : (
                  <Empty icon={SearchX} title="No matching records">
                    <Link href={familyPath(at)} className="button">
                      Clear filters
                    </Link>
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

interface Properties {
  readonly at: FamilyRef;
  /** What the screen is for. */
  readonly children: ReactNode;
}

/** Shown until a plugin is attached. */
export function NothingAttached({ at, children }: Properties) {
  const mayWrite = useMayWrite();
  return (
    <Empty icon={Plug} guide="tour.md" title="No plugins attached yet">
      <p>{children}</p>
      {mayWrite ? (
        <Link href={`${familyPath(at)}/attach`} className="button primary">
          <Plus />
          Attach your first plugin
        </Link>
      ) : (
        <p>
          Attaching a plugin requires the <code>plugin:write</code> scope.
        </p>
      )}
    </Empty>
  );
}
