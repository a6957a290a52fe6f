import { useQuery } from '@tanstack/react-query';
import { familyKey, recordsOf } from '../live/use-family.ts';
import type { FamilyRef } from '../shell/addresses.ts';

/** Runtimes report once a minute, and no stream follows them. */
const READ_AGAIN_MS = 15_000;
const LIMIT = 1000;

/** The key of the runtimes of a family. */
export const runtimesKey = (at: FamilyRef) => [...familyKey(at), 'runtimes'] as const;

/** All runtimes of a family, by their names. A family has at most 1,000. */
export function useRuntimes(at: FamilyRef) {
  return useQuery({
    queryKey: runtimesKey(at),
    queryFn: async ({ signal }) =>
      (await recordsOf(at).runtimes({ limit: LIMIT }, { signal }).page()).results,
    refetchInterval: READ_AGAIN_MS,
  });
}
