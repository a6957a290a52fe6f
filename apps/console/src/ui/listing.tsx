import type { ReactNode } from 'react';
import { QueryResult } from './query-result.tsx';
import type { Identified, useListing } from './use-listing.ts';

interface Properties<T extends Identified> {
  readonly list: ReturnType<typeof useListing<T>>;
  /** Completes "Loading …". */
  readonly what: string;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
  readonly children: (items: readonly T[]) => ReactNode;
}

/** The items loaded so far, and a button for more. */
export function Listing<T extends Identified>({ list, what, empty, children }: Properties<T>) {
  const { items: data, count = 0, error, refetch, hasNextPage, isFetchingNextPage, showMore } = list;
  return (
    <QueryResult query={{ data, error, refetch }} what={what}>
      {(items) => (
        <>
          {items.length === 0 ? empty : children(items)}
          {hasNextPage && (
            <p className="actions">
              <button type="button" disabled={isFetchingNextPage} onClick={showMore}>
                Show more
              </button>
              <span className="hint">
                {items.length} of {count}
              </span>
            </p>
          )}
        </>
      )}
    </QueryResult>
  );
}
