import { familyKey, recordsOf } from '../live/use-family.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.ts';

/** Runtimes report once a minute, and the stream doesn't send their reports. */
const REFRESH_MS = 15_000;

export const runtimesKey = (at: FamilyRef) => [...familyKey(at), 'runtimes'] as const;

/** All runtimes of a family, sorted by name. There are at most 1,000. */
export function useRuntimes(at: FamilyRef) {
  return useRead(
    runtimesKey(at),
    async (options) => (await recordsOf(at).runtimes({ limit: 1000 }, options).page()).results,
    { refetchInterval: REFRESH_MS },
  );
}
