import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './loading.tsx';
import type { Identified, useListing } from './use-listing.ts';

interface Properties<T extends Identified> {
  readonly list: ReturnType<typeof useListing<T>>;
  /** Completes "Reading …". */
  readonly what: string;
  /** Shown in place of an empty list. */
  readonly empty: ReactNode;
  readonly children: (items: readonly T[]) => ReactNode;
}

/** The items of a list that are read so far, and a button for more. */
export function Listing<T extends Identified>({ list, what, empty, children }: Properties<T>) {
  const { items, count = 0, error, refetch, hasNextPage, isFetchingNextPage, showMore } = list;
  if (items === undefined) {
    return error === null ? (
      <Loading what={what} />
    ) : (
      <ErrorNote error={error} retry={() => void refetch()} />
    );
  }
  return (
    <>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
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
  );
}
