import type { ConfigRecord } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readFamilyNow, recordsOf } from '../live/use-family.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { useNotify } from '../ui/notices.tsx';
import { recordName } from './names.ts';

/** Enables and disables a record, with undo. */
export function useEnabling(at: FamilyRef, record: ConfigRecord) {
  const queries = useQueryClient();
  const notify = useNotify();
  const { id } = record;
  const { mutate, ...enabling } = useMutation({
    // Sequential, so the last change wins.
    scope: { id: `enabled ${at.projectId} ${at.family} ${id}` },
    // Unconditional: concurrent changes of other fields do not matter.
    mutationFn: async (enabled: boolean) => {
      await recordsOf(at).update(id, () => ({ enabled }));
      await readFamilyNow(queries, at);
    },
    onSuccess: (_, enabled) => {
      const text = `${recordName(record)} was ${enabled ? 'enabled' : 'disabled'}.`;
      notify(text, { Undo: () => mutate(!enabled) }, `enabled ${id}`);
    },
    // A notice, since the row may be out of sight.
    onError: (error, enabled) =>
      notify(`${recordName(record)} could not be ${enabled ? 'enabled' : 'disabled'}. ${error.message}`),
  });
  return { ...enabling, mutate, isEnabled: enabling.isPending ? enabling.variables : record.enabled };
}
