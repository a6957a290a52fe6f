import type { Page } from '@plugin-config/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const LIMIT = 100;

/** An item that a list has once. */
export type Identified = { readonly id: number | string } | { readonly number: number };

interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** A list that is read page by page, as the user asks for more. */
export function useListing<T extends Identified>(
  queryKey: readonly unknown[],
  read: (part: Part, signal: AbortSignal) => Promise<Page<T>>,
  /** The milliseconds after which the list is read again, if no stream tells when it changes. */
  readAgainMs: ((items: readonly T[]) => number | false) | false = false,
) {
  const list = JSON.stringify(queryKey);
  const [asked, setAsked] = useState({ list, pages: 1 });
  const wanted = asked.list === list ? asked.pages : 1;
  const { data, fetchNextPage, ...query } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => read({ limit: LIMIT, offset: pageParam }, signal),
    initialPageParam: 0,
    // A page of large items ends early.
    getNextPageParam: ({ next }) => (next === null ? null : Number(new URL(next).searchParams.get('offset'))),
    refetchInterval: ({ state }) =>
      readAgainMs === false ? false : readAgainMs(state.data?.pages.flatMap(({ results }) => results) ?? []),
  });
  const pages = data?.pages.length ?? 0;
  // A change of the list ends the reading of a further page: it is read afterwards.
  const isMissing = pages < wanted && query.hasNextPage && !query.isFetching && query.error === null;
  useEffect(() => {
    if (isMissing) void fetchNextPage();
  }, [isMissing, fetchNextPage]);
  return {
    ...query,
    count: data?.pages.at(-1)?.count,
    items: data && onlyOnce(data.pages.flatMap(({ results }) => results)),
    showMore: () => {
      setAsked({ list, pages: pages + 1 });
      void fetchNextPage();
    },
  };
}

/** What came before the first page since it was read has moved items into the next one, too. */
export function onlyOnce<T extends Identified>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => ['id' in item ? item.id : item.number, item])).values()];
}
