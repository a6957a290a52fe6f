import type { FamilyRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';
import { invalidKey, recordsOf } from './use-family.ts';

const LIMIT = 1000;
const NONE: ReadonlySet<number> = new Set();

/** The ids of the enabled records whose configuration the schema of their plugin rejects; none while loading. */
export function useInvalid(at: FamilyRef) {
  const { data: invalid = NONE, ...query } = useRead(
    invalidKey(at),
    async (options) => {
      const records = await Array.fromAsync(recordsOf(at).list({ valid: false, limit: LIMIT }, options));
      return new Set(records.map(({ id }) => id));
    },
    { staleTime: Infinity, structuralSharing: false },
  );
  return { invalid, error: query.error, retry: query.refetch };
}
