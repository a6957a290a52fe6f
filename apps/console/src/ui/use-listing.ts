import type { Page } from '@plugin-config/client';
import { useInfiniteQuery } from '@tanstack/react-query';

const LIMIT = 100;

interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** A list that is read page by page, as the user asks for more. */
export function useListing<T>(
  queryKey: readonly unknown[],
  read: (part: Part, signal: AbortSignal) => Promise<Page<T>>,
  /** The milliseconds after which the list is read again, if no stream tells when it changes. */
  readAgainMs: ((items: readonly T[]) => number | false) | false = false,
) {
  const { data, ...query } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => read({ limit: LIMIT, offset: pageParam }, signal),
    initialPageParam: 0,
    // A page of large items ends early.
    getNextPageParam: ({ next }) => (next === null ? null : Number(new URL(next).searchParams.get('offset'))),
    refetchInterval: ({ state }) =>
      readAgainMs === false ? false : readAgainMs(state.data?.pages.flatMap(({ results }) => results) ?? []),
  });
  return {
    ...query,
    count: data?.pages.at(-1)?.count,
    items: data?.pages.flatMap(({ results }) => results),
  };
}
