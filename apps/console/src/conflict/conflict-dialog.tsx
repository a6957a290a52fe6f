import type { ConfigRecord } from '@plugin-config/client';
import type { Conflict, Save } from '../editing/use-save.ts';
import type { Changes } from '../record/changes.ts';
import { useRecord } from '../record/use-record.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { differencesOf } from './differences.ts';

interface Properties {
  readonly at: RecordRef;
  readonly save: Save;
  /** Called with the record that the user saw, and the user's changes to save on top of it. */
  readonly onKeepMine: (theirs: ConfigRecord, mine: Changes) => void;
  readonly onTakeTheirs: () => void;
}

/** Shown while a save conflicts with someone else's changes. */
export function ConflictDialog({ save, ...properties }: Properties) {
  if (save.conflict === null) return null;
  return (
    <Dialog title="Someone else changed this record" onClose={save.dismiss}>
      <Sides {...properties} save={save} conflict={save.conflict} />
    </Dialog>
  );
}

/** Shows both sides. Follows the record while it is open. */
function Sides({
  at,
  save,
  conflict,
  onKeepMine,
  onTakeTheirs,
}: Properties & { readonly conflict: Conflict }) {
  const { base, mine } = conflict;
  const record = useRecord(at);
  const theirs = record.data ?? base;
  return (
    <>
      <p>If you keep yours, their changes to other fields stay.</p>
      <Table columns={['Field', 'Theirs', 'Yours']} rows={differencesOf(base, theirs, mine)} />
      <ErrorNote error={record.error} retry={record.refetch} />
      <p className="actions">
        <button
          type="button"
          className="primary"
          disabled={save.isPending || record.isFetching}
          onClick={() => onKeepMine(theirs, mine)}
        >
          {save.isPending ? 'Saving…' : 'Keep mine'}
        </button>
        <button type="button" disabled={save.isPending} onClick={onTakeTheirs}>
          Take theirs
        </button>
        <button type="button" onClick={save.dismiss}>
          Keep editing
        </button>
      </p>
    </>
  );
}
