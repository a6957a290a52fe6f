import type { Page, RequestOptions } from '@plugin-config/client';
import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseMutationOptions,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { notify } from './notices.tsx';
import { ErrorNote, Loading } from './states.tsx';
import { idOf, withoutDuplicates, type Identified } from './without-duplicates.ts';

/** Reads from the service, and caches the result under the key. */
export function useRead<T>(
  queryKey: QueryKey,
  read: (options: RequestOptions) => Promise<T>,
  options: Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'> = {},
) {
  return useQuery({ ...options, queryKey, queryFn: async ({ signal }) => read({ signal }) });
}

interface Outcome<T, V> extends Pick<UseMutationOptions, 'scope' | 'gcTime'> {
  /** The key of the queries to refetch, even if the change fails. */
  readonly affects: QueryKey;
  /** Shown once the change has succeeded. */
  readonly notice?: string;
  readonly onSuccess?: (result: T, variables: V) => unknown;
  readonly onError?: (error: Error, variables: V) => unknown;
}

/** Changes something in the service. */
export function useChange<T, V = void>(mutationFn: (variables: V) => Promise<T>, outcome: Outcome<T, V>) {
  const { affects, notice, onSuccess, onError = () => {}, ...options } = outcome;
  const queries = useQueryClient();
  // The observer of the mutation learns of a new function only after the next frame, and a form may be submitted before it.
  const latest = useRef(mutationFn);
  useLayoutEffect(() => {
    latest.current = mutationFn;
  });
  return useMutation({
    ...options,
    mutationFn: async (variables) => latest.current(variables),
    onSuccess: (result, variables) => {
      if (notice !== undefined) notify(notice);
      return onSuccess?.(result, variables);
    },
    onError,
    onSettled: async () => queries.invalidateQueries({ queryKey: affects }),
  });
}

interface ResultProperties<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error'>;
  /** Completes "Loading …". */
  readonly what: string;
  readonly children: (data: T) => ReactNode;
}

/** Shows the error of a query. Its retry reads all that failed on the screen. */
export function ReadError({ error }: Pick<UseQueryResult, 'error'>) {
  const queries = useQueryClient();
  const retry = async (): Promise<void> =>
    queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  return <ErrorNote error={error} retry={retry} />;
}

/** Renders the data of a query, a loading message until there is some, and its error. */
export function QueryResult<T>({ query: { data, error }, what, children }: ResultProperties<T>) {
  return (
    <>
      <ReadError error={error} />
      {data === undefined ? error === null && <Loading what={what} /> : children(data)}
    </>
  );
}

const LIMIT = 100;

/** Where a page begins: at an offset, or in some lists after a cursor. */
interface Range {
  readonly limit: number;
  readonly offset: number;
  readonly after?: string;
}

/** A list that is loaded page by page on request. */
export function useListing<T extends Identified>(
  queryKey: readonly unknown[],
  read: (range: Range, options: RequestOptions) => Promise<Page<T>>,
  /** How often to reload a list whose changes the stream doesn't send. */
  refreshMs: (items: readonly T[]) => number | false = () => false,
) {
  const list = JSON.stringify(queryKey);
  const [requested, setRequested] = useState({ list, pages: 1 });
  const wanted = requested.list === list ? requested.pages : 1;
  const { data, fetchNextPage, ...query } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => read(pageParam, { signal }),
    initialPageParam: { limit: LIMIT, offset: 0 },
    // A page of large items can be shorter than its limit.
    getNextPageParam: ({ next }) => (next === null ? null : rangeOf(new URL(next).searchParams)),
    refetchInterval: ({ state }) => refreshMs(state.data?.pages.flatMap(({ results }) => results) ?? []),
  });
  const pages = data?.pages.length ?? 0;
  // Fetches a further page again if a refetch of the list cancelled it.
  const isMissing = pages < wanted && query.hasNextPage && !query.isFetching && query.error === null;
  useEffect(() => {
    if (isMissing) void fetchNextPage();
  }, [isMissing, fetchNextPage]);
  return {
    ...query,
    count: data?.pages.at(-1)?.count,
    items: data && withoutDuplicates(data.pages.flatMap(({ results }) => results)),
    showMore: () => setRequested({ list, pages: pages + 1 }),
  };
}

function rangeOf(query: URLSearchParams): Range {
  const after = query.get('after');
  return { limit: LIMIT, offset: Number(query.get('offset')), ...(after !== null && { after }) };
}

interface ListProperties<T extends Identified> {
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
}: ListProperties<T>) {
  const { items: data, count = 0, error, hasNextPage, isFetchingNextPage, showMore } = list;
  return (
    <QueryResult query={{ data, error }} what={what}>
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
              <button
                type="button"
                aria-disabled={isFetchingNextPage}
                onClick={() => isFetchingNextPage || showMore()}
              >
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
