import type { ConfigRecord } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { recordKey } from '../live/use-family.ts';
import type { Changes } from '../record/changes.ts';
import { showWritten, writeChanges } from '../record/use-record.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { isConflict } from './is-conflict.ts';

/** Changes that were rejected because someone else changed the record. */
export interface Conflict {
  /** The record that the changes are based on. */
  readonly base: ConfigRecord;
  readonly mine: Changes;
}

export type Save = ReturnType<typeof useSave>;

interface Outcomes {
  /** Called with the record before and after the write. */
  readonly onSaved?: (before: ConfigRecord, after: ConfigRecord) => void;
  readonly onRejected?: (error: Error) => void;
}

export function useSave(at: RecordRef, { onSaved, onRejected }: Outcomes) {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ base, mine }: Conflict) => writeChanges(at, base, mine),
    // The cache must not keep what was sent: it may contain a secret.
    gcTime: 0,
    onSuccess: async (saved, { base }) =>
      showWritten(queries, at, saved, () => {
        setConflict(null);
        onSaved?.(base, saved);
      }),
    onError: async (reason, rejected) => {
      if (isConflict(reason)) {
        await queries.invalidateQueries({ queryKey: recordKey(at) });
        setConflict(rejected);
      } else {
        setConflict(null);
        onRejected?.(reason);
      }
    },
  });
  return {
    /** Writes the changes unless the record has changed. Ignored during another write. */
    write: (base: ConfigRecord, mine: Changes) => {
      if (!isPending) mutate({ base, mine });
    },
    isPending,
    /** The error of the last write, except conflicts. */
    error: isConflict(error) ? null : error,
    conflict,
    dismiss: () => setConflict(null),
  };
}
