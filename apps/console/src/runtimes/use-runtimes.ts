import { familyKey, recordsOf } from '../live/use-family.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';

/** Runtimes report once a minute, and the stream doesn't send their reports. */
const REFRESH_MS = 15_000;

/** All runtimes of a family, sorted by name. There are at most 1,000. */
export function useRuntimes(at: FamilyRef) {
  return useRead(
    [...familyKey(at), 'runtimes'],
    async (options) => (await recordsOf(at).runtimes({ limit: 1000 }, options).page()).results,
    { refetchInterval: REFRESH_MS },
  );
}
