import type { FamilyRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';
import { recordsOf, selectionsKey } from './use-family.ts';

const LIMIT = 1000;
const NONE: ReadonlySet<number> = new Set();

const FILTERS = { invalid: { valid: false }, outdated: { outdated: true } } as const;

/**
 * The ids of the enabled records whose configuration the schema of their plugin rejects, or of those whose version is outdated; none
 * while loading.
 */
export function useMarked(at: FamilyRef, mark: keyof typeof FILTERS, enabled = true) {
  const { data: ids = NONE, ...query } = useRead(
    [...selectionsKey(at), mark],
    async (options) => {
      const records = await Array.fromAsync(recordsOf(at).list({ ...FILTERS[mark], limit: LIMIT }, options));
      return new Set(records.map(({ id }) => id));
    },
    { staleTime: Infinity, structuralSharing: false, enabled },
  );
  return { ids, isRead: query.isSuccess, error: query.error };
}
