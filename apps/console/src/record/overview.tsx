import type { ConfigRecord, RecordChange } from '@plugin-config/client';
import { useQueryClient } from '@tanstack/react-query';
import { ConflictDialog } from '../conflict/conflict-dialog.tsx';
import type { Form } from '../editing/field.ts';
import { RecordForm } from '../editing/record-form.tsx';
import { useEditing } from '../editing/use-editing.ts';
import { useSave } from '../editing/use-save.ts';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { may } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { recordName } from '../pipeline/names.ts';
import { FailedRuntimes } from '../runtimes/failed-runtimes.tsx';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { useNotify } from '../ui/notices.tsx';
import type { Change } from './changes.ts';
import { Facts } from './facts.tsx';
import { useRecord } from './use-record.ts';
import './overview.css';

export function Overview({ at }: { readonly at: RecordRef }) {
  const key = useKey();
  const { data } = useRecord(at);
  if (data === undefined) return null;
  if (may(key, 'plugin:write')) return <EditedOverview key={at.id} at={at} record={data} />;
  return (
    <>
      <p>{stateOf(data)}</p>
      {data.description !== null && <p className="description">{data.description}</p>}
      <Facts record={data} at={at} />
      <FailedRuntimes at={at} />
    </>
  );
}

function EditedOverview({ at, record }: { readonly at: RecordRef; readonly record: ConfigRecord }) {
  const queries = useQueryClient();
  const notify = useNotify();
  const editing = useEditing(at, record, detailsForm);
  const action = useSave(at, {
    onSaved: (before, after) => {
      editing.advanceBase(before, after);
      if (after.deleted === before.deleted) return;
      if (after.deleted) {
        const { enabled } = before;
        notify('The record was deleted.', {
          Undo: () => void update({ deleted: false, enabled }, 'The record could not be restored.'),
        });
      } else {
        notify('The record was restored. It is disabled.', {
          Enable: () => void update({ enabled: true }, 'The record could not be enabled.'),
        });
      }
    },
  });
  const isBusy = action.isPending || editing.save.isPending;
  const update = async (changes: RecordChange, failure: string): Promise<void> => {
    try {
      await recordsOf(at).update(at.id, () => changes);
    } catch {
      notify(`${failure} Open it and try again.`);
    }
    await queries.invalidateQueries({ queryKey: recordKey(at) });
  };
  return (
    <>
      <div className="actions acts">
        {record.deleted ? (
          <>
            <strong>This record is deleted.</strong>
            <button
              type="button"
              onClick={() => action.write(record, change('deleted', false))}
              disabled={isBusy}
            >
              Restore
            </button>
          </>
        ) : (
          <>
            <EnabledSwitch
              name={recordName(record)}
              isEnabled={record.enabled}
              onChange={(enabled) => {
                if (!isBusy) action.write(record, change('enabled', enabled));
              }}
            />
            <span aria-hidden="true">{stateOf(record)}</span>
          </>
        )}
      </div>
      {action.error !== null && <ErrorNote error={action.error} />}
      <Facts record={record} at={at} />
      <FailedRuntimes at={at} />
      <h2>Name and description</h2>
      <RecordForm editing={editing} title="Name and description" isBusy={action.isPending} />
      {!record.deleted && (
        <p className="actions delete">
          <button
            type="button"
            className="danger"
            onClick={() => action.write(record, change('deleted', true))}
            disabled={isBusy}
          >
            Delete
          </button>
          <span className="hint">Removes the record from the list and disables it. It can be restored.</span>
        </p>
      )}
      {action.conflict !== null && (
        <ConflictDialog
          at={at}
          conflict={action.conflict}
          isSaving={action.isPending}
          onMerge={(theirs, kept) => (kept.size > 0 ? action.write(theirs, kept) : action.dismiss())}
          onDiscard={action.dismiss}
          onClose={action.dismiss}
        />
      )}
    </>
  );
}

function stateOf({ deleted, enabled }: ConfigRecord): string {
  if (deleted) return 'This record is deleted.';
  return enabled ? 'Enabled' : 'Disabled';
}

function change(field: string, value: boolean): ReadonlyMap<string, Change> {
  return new Map([[field, { value, isSecret: false }]]);
}

function detailsForm({ name, description }: ConfigRecord): Form {
  return {
    fields: [
      { name: 'name', label: 'Name', type: 'string', stored: name ?? undefined },
      { name: 'description', label: 'Description', type: 'string', stored: description ?? undefined },
    ],
    others: null,
  };
}
