import type { ConfigRecord } from '@plugin-config/client';
import { familyKey, recordsOf } from '../live/use-family.ts';
import { recordName } from '../record/plugin-info.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { errorText } from '../ui/error-text.ts';
import { notify } from '../ui/notices.tsx';
import { useChange } from '../ui/queries.tsx';

/** Enables and disables a record, with undo. */
export function useEnabling(at: FamilyRef, record: ConfigRecord) {
  const { id } = record;
  const name = recordName(record);
  // Unconditional: concurrent changes to other fields do not matter.
  const enabling = useChange(async (enabled: boolean) => recordsOf(at).update(id, () => ({ enabled })), {
    affects: familyKey(at),
    // Sequential, so the last change wins.
    scope: { id: `enabled ${at.projectId} ${at.family} ${id}` },
    onSuccess: (_, enabled) => {
      const text = `${name} was ${enabled ? 'enabled' : 'disabled'}.`;
      notify(text, { Undo: () => enabling.mutate(!enabled) }, `enabled ${id}`);
    },
    // A notice, since the row may be out of sight.
    onError: (error, enabled) =>
      notify(`${name} could not be ${enabled ? 'enabled' : 'disabled'}. ${errorText(error)}`),
  });
  return { ...enabling, isEnabled: enabling.isPending ? enabling.variables : record.enabled };
}
