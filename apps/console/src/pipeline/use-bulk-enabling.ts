import type { ConfigRecord } from '@plugin-config/client';
import { familyKey, recordsOf } from '../live/use-family.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { errorText } from '../ui/error-text.ts';
import { recordsText } from '../ui/format.ts';
import { notify } from '../ui/notices.tsx';
import { useChange } from '../ui/queries.tsx';
import { inParallel } from './in-parallel.ts';

/** How many records are written at once. */
const CONCURRENT = 4;

interface Bulk {
  readonly ids: readonly number[];
  readonly enabled: boolean;
}

/** Enables or disables several records. One undo takes back what has succeeded. */
export function useBulkEnabling(at: FamilyRef) {
  const change = useChange(
    async ({ ids, enabled }: Bulk) =>
      inParallel(ids, CONCURRENT, async (id) => recordsOf(at).update(id, () => ({ enabled }))),
    {
      affects: familyKey(at),
      onSuccess: ({ done, errors }, { enabled }) => {
        const what = enabled ? 'enabled' : 'disabled';
        const [first] = errors;
        if (first !== undefined)
          notify(`${recordsText(errors.length)} could not be ${what}. ${errorText(first)}`);
        if (done.length > 0) {
          const undo = (): void => change.mutate({ ids: done, enabled: !enabled });
          notify(`${recordsText(done.length)} ${done.length === 1 ? 'was' : 'were'} ${what}.`, {
            Undo: undo,
          });
        }
      },
    },
  );
  return {
    isPending: change.isPending,
    /** Changes only the records that are not yet in this state, so the undo leaves the others alone. */
    setEnabled: (records: readonly ConfigRecord[], enabled: boolean) => {
      const ids = records.filter((record) => record.enabled !== enabled).map(({ id }) => id);
      if (ids.length > 0) change.mutate({ ids, enabled });
    },
  };
}
