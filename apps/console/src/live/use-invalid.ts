import type { FamilyRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';
import { invalidKey, recordsOf } from './use-family.ts';

const NONE: ReadonlySet<number> = new Set();

/** The ids of the enabled records whose configuration the schema of their plugin rejects; empty while loading. */
export function useInvalid(at: FamilyRef): ReadonlySet<number> {
  const { data = NONE } = useRead(
    invalidKey(at),
    async (options) => {
      const records = await Array.fromAsync(recordsOf(at).list({ valid: false, limit: 1000 }, options));
      return new Set(records.map(({ id }) => id));
    },
    { staleTime: Infinity, structuralSharing: false },
  );
  return data;
}
