import type { ConfigRecord } from '@plugin-config/client';
import type { ReactNode } from 'react';
import { isConflict } from '../editing/is-conflict.ts';
import { recordKey } from '../live/use-family.ts';
import { useRecord } from '../record/use-record.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { useChange } from '../ui/queries.tsx';
import { Loading } from '../ui/states.tsx';
import { ChangeDiff } from './change-diff.tsx';
import type { FieldChange } from './shown-change.ts';

interface Properties {
  readonly at: RecordRef;
  readonly title: string;
  /** Returns what would change in the record. */
  readonly changesOf: (record: ConfigRecord) => readonly FieldChange[];
  /** Writes the changes unless the record has changed. */
  readonly restore: (record: ConfigRecord) => Promise<void>;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Shows what would change, and applies it only to the shown state. */
export function RestoreDialog({ at, title, changesOf, restore, children, onClose }: Properties) {
  const { data: record } = useRecord(at);
  const { mutate, error, isPending } = useChange(restore, { affects: recordKey(at), onSuccess: onClose });
  const changes = record === undefined ? [] : changesOf(record);
  const isStale = isConflict(error);
  return (
    <FormDialog
      title={title}
      submitLabel="Restore"
      change={{ isPending, error: isStale ? null : error }}
      isDisabled={changes.length === 0}
      onSubmit={() => record && mutate(record)}
      onClose={onClose}
    >
      {record === undefined && <Loading what="record" />}
      {isStale && (
        <p role="alert">
          The record has changed, so nothing was restored. Check the updated changes below and try again.
        </p>
      )}
      <div className="restore-changes">
        {changes.map((change) => (
          <ChangeDiff key={change.field} change={change} />
        ))}
        {record !== undefined && changes.length === 0 && (
          <p>Nothing to restore: the record already matches.</p>
        )}
      </div>
      {children}
    </FormDialog>
  );
}
