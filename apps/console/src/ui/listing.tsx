import type { ReactNode } from 'react';
import { QueryResult } from './states.tsx';
import { idOf, type Identified, type useListing } from './use-listing.ts';

interface Properties<T extends Identified> {
  readonly list: ReturnType<typeof useListing<T>>;
  /** Completes "Loading …". */
  readonly what: string;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
  readonly className?: string;
  /** Renders an item. */
  readonly children: (item: T, index: number) => ReactNode;
}

/** The items loaded so far, and a button for more. */
export function Listing<T extends Identified>({
  list,
  what,
  empty,
  className = 'rows',
  children,
}: Properties<T>) {
  const { items: data, count = 0, error, refetch, hasNextPage, isFetchingNextPage, showMore } = list;
  return (
    <QueryResult query={{ data, error, refetch }} what={what}>
      {(items) => (
        <>
          {items.length === 0 ? (
            empty
          ) : (
            <ol className={className}>
              {items.map((item, index) => (
                <li key={idOf(item)}>{children(item, index)}</li>
              ))}
            </ol>
          )}
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
