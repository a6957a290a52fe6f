import type { FamilyRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';
import { invalidKey, recordsOf } from './use-family.ts';

const LIMIT = 1000;
const NONE: ReadonlySet<number> = new Set();

interface Options {
  /** Reads only the records of this plugin. */
  readonly plugin?: number | undefined;
  readonly isEnabled?: boolean;
}

/** The ids of the enabled records whose configuration the schema of their plugin rejects; none while loading. */
export function useInvalid(at: FamilyRef, { plugin, isEnabled = true }: Options = {}) {
  const { data: invalid = NONE, ...query } = useRead(
    [...invalidKey(at), plugin ?? null],
    async (options) => {
      const filter = { valid: false, limit: LIMIT, ...(plugin !== undefined && { plugin }) };
      const records = await Array.fromAsync(recordsOf(at).list(filter, options));
      return new Set(records.map(({ id }) => id));
    },
    { enabled: isEnabled, staleTime: Infinity, structuralSharing: false },
  );
  return { invalid, error: query.error, retry: query.refetch };
}
