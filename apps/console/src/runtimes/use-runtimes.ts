import { useQuery } from '@tanstack/react-query';
import { familyKey, recordsOf } from '../live/use-family.ts';
import type { FamilyRef } from '../shell/addresses.ts';

/** Runtimes report once a minute, and the stream doesn't send their reports. */
const REFRESH_MS = 15_000;
const LIMIT = 1000;

export const runtimesKey = (at: FamilyRef) => [...familyKey(at), 'runtimes'] as const;

/** All runtimes of a family, sorted by name. There are at most 1,000. */
export function useRuntimes(at: FamilyRef) {
  return useQuery({
    queryKey: runtimesKey(at),
    queryFn: async ({ signal }) =>
      (await recordsOf(at).runtimes({ limit: LIMIT }, { signal }).page()).results,
    refetchInterval: REFRESH_MS,
  });
}
