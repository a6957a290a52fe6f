import { PluginConfigError, type ConfigRecord } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { recordKey } from '../live/use-family.ts';
import type { Changes } from '../record/changes.ts';
import { showWritten } from '../record/use-record.ts';
import { writeChanges } from '../record/write-changes.ts';
import type { RecordRef } from '../shell/addresses.ts';

/** Changes that were rejected, because somebody else has changed the record meanwhile. */
export interface Conflict {
  /** The record on which the changes were made. */
  readonly base: ConfigRecord;
  readonly mine: Changes;
}

export interface Save {
  /** Writes the changes if the record is still as it was read. Does nothing while another write is under way. */
  readonly write: (record: ConfigRecord, changes: Changes) => void;
  readonly isPending: boolean;
  /** Why the last write failed; a conflict is no failure. */
  readonly error: Error | null;
  readonly conflict: Conflict | null;
  readonly dismiss: () => void;
}

interface Outcomes {
  /** Called with the record on which the changes were made, and the one that they led to. */
  readonly onSaved?: (before: ConfigRecord, after: ConfigRecord) => void;
  readonly onRejected?: (error: Error) => void;
}

/** Writes changes of a record. */
export function useSave(at: RecordRef, { onSaved, onRejected }: Outcomes = {}): Save {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ base, mine }: Conflict) => writeChanges(at, base, mine),
    // What was sent may be a secret.
    gcTime: 0,
    onSuccess: async (answer, { base }) =>
      showWritten(queries, at, answer, () => {
        setConflict(null);
        onSaved?.(base, answer);
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
    write: (base, mine) => {
      if (!isPending) mutate({ base, mine });
    },
    isPending,
    error: isConflict(error) ? null : error,
    conflict,
    dismiss: () => setConflict(null),
  };
}

function isConflict(error: Error | null): boolean {
  return error instanceof PluginConfigError && error.code === 'precondition_failed';
}
