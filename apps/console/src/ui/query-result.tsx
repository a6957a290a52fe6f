import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './loading.tsx';

interface Properties<T> {
  readonly query: {
    readonly data: T | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** Completes "Loading …". */
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}

/** Renders the data of a query, a loading text before that, and its error. */
export function QueryResult<T>({ query: { data, error, refetch }, what, children }: Properties<T>) {
  return (
    <>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined ? error === null && <Loading what={what} /> : children(data)}
    </>
  );
}
