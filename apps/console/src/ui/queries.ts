import type { RequestOptions } from '@plugin-config/client';
import {
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { notify } from './notices.tsx';

/** Reads from the service, and keeps the result under the key. */
export function useRead<T>(
  queryKey: QueryKey,
  read: (options: RequestOptions) => Promise<T>,
  options: Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'> = {},
) {
  return useQuery({ ...options, queryKey, queryFn: async ({ signal }) => read({ signal }) });
}

interface Outcome<T, V> {
  /** The key of the queries to repeat, also if the change fails. */
  readonly affects: QueryKey;
  /** Called once it succeeded. */
  readonly onSuccess?: (result: T, variables: V) => unknown;
  /** Shown once it succeeded. */
  readonly notice?: string;
}

/** Changes something in the service. */
export function useChange<T, V = void>(change: (variables: V) => Promise<T>, outcome: Outcome<T, V>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (result, variables) => {
      if (outcome.notice !== undefined) notify(outcome.notice);
      return outcome.onSuccess?.(result, variables);
    },
    onSettled: async () => queries.invalidateQueries({ queryKey: outcome.affects }),
  });
}
