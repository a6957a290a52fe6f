import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './loading.tsx';

interface Properties<T> {
  readonly query: {
    readonly data: T | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** Completes "Reading …". */
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}

/** What a query has read; before, that it is being read, or why it could not be. */
export function Reading<T>({ query: { data, error, refetch }, what, children }: Properties<T>) {
  return (
    <>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined ? error === null && <Loading what={what} /> : children(data)}
    </>
  );
}
