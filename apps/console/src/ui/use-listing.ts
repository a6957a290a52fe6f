import type { Page } from '@plugin-config/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const LIMIT = 100;

/** An item that is unique in its list. */
export type Identified = { readonly id: number | string } | { readonly number: number };

interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

/** A list that is loaded page by page on request. */
export function useListing<T extends Identified>(
  queryKey: readonly unknown[],
  read: (range: PageRange, signal: AbortSignal) => Promise<Page<T>>,
  /** How often to reload a list whose changes the stream doesn't send. */
  refreshMs: ((items: readonly T[]) => number | false) | false = false,
) {
  const list = JSON.stringify(queryKey);
  const [requested, setRequested] = useState({ list, pages: 1 });
  const wanted = requested.list === list ? requested.pages : 1;
  const { data, fetchNextPage, ...query } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => read({ limit: LIMIT, offset: pageParam }, signal),
    initialPageParam: 0,
    // A page of large items can be shorter than its limit.
    getNextPageParam: ({ next }) => (next === null ? null : Number(new URL(next).searchParams.get('offset'))),
    refetchInterval: ({ state }) =>
      refreshMs === false ? false : refreshMs(state.data?.pages.flatMap(({ results }) => results) ?? []),
  });
  const pages = data?.pages.length ?? 0;
  // A refetch of the list cancels the fetch of a further page, which is then repeated.
  const isMissing = pages < wanted && query.hasNextPage && !query.isFetching && query.error === null;
  useEffect(() => {
    if (isMissing) void fetchNextPage();
  }, [isMissing, fetchNextPage]);
  return {
    ...query,
    count: data?.pages.at(-1)?.count,
    items: data && withoutDuplicates(data.pages.flatMap(({ results }) => results)),
    showMore: () => {
      setRequested({ list, pages: pages + 1 });
      void fetchNextPage();
    },
  };
}

/** New items shift older ones onto the next page, so two pages can contain the same item. */
export function withoutDuplicates<T extends Identified>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => ['id' in item ? item.id : item.number, item])).values()];
}
