import type { ConfigRecord } from '@plugin-config/client';
import type { Conflict, Save } from '../editing/use-save.ts';
import type { Changes } from '../record/changes.ts';
import { ChangeSentence } from '../history/activity-item.tsx';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { useMayRead } from '../session/session.ts';
import { useRecord } from '../record/use-record.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ReadError, useRead } from '../ui/queries.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/texts.tsx';
import { differencesOf } from './differences.ts';

/** Entries about jobs may follow the one that changed the record. */
const ENTRIES = 10;

interface Properties {
  readonly at: RecordRef;
  readonly save: Save;
  /** Called with the record that the user saw, and the user's changes to save on top of it. */
  readonly onKeepMine: (theirs: ConfigRecord, mine: Changes) => void;
  readonly onTakeTheirs: () => void;
}

/** Shown while a save conflicts with other changes. */
export function ConflictDialog({ save, ...properties }: Properties) {
  if (save.conflict === null) return null;
  return (
    <Dialog title="This record has changed" onClose={save.dismiss}>
      <Sides {...properties} save={save} conflict={save.conflict} />
    </Dialog>
  );
}

/** Says who changed the record last, or what: a runtime can write secrets back. */
function LatestChange({ at }: Pick<Properties, 'at'>) {
  const { data } = useRead(
    [...recordKey(at), 'latest-change'],
    async (options) => (await recordsOf(at).activity(at.id, { limit: ENTRIES }, options).page()).results,
    { enabled: useMayRead(at.projectId) },
  );
  const change = data?.find(({ activity }) => !activity.startsWith('job_'));
  if (change === undefined) return null;
  return (
    <>
      <ChangeSentence projectId={at.projectId} change={change}>
        it
      </ChangeSentence>{' '}
      <Time at={change.created_at} />.{' '}
    </>
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
      <p>
        <LatestChange at={at} />
        If you keep yours, the changes to other fields stay.
      </p>
      <Table columns={['Field', 'Theirs', 'Yours']} rows={differencesOf(base, theirs, mine)} />
      <ReadError error={record.error} />
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
