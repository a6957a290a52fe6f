import type { ConfigRecord } from '@plugin-config/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ConflictDialog } from '../conflict/conflict-dialog.tsx';
import type { Form } from '../editing/field.ts';
import { RecordForm } from '../editing/record-form.tsx';
import { useEditing } from '../editing/use-editing.ts';
import { useSave } from '../editing/use-save.ts';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { useRuntimes } from '../runtimes/use-runtimes.ts';
import { useMayWrite } from '../session/session.ts';
import { familyPath, type RecordRef } from '../shell/addresses.ts';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { notify } from '../ui/notices.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/texts.tsx';
import type { Changes } from './changes.ts';
import { Facts } from './facts.tsx';
import { recordName } from './plugin-info.ts';
import type { ScreenProperties } from './use-record.ts';

export function Overview({ at, record }: ScreenProperties) {
  const mayWrite = useMayWrite();
  if (mayWrite) return <EditedOverview key={at.id} at={at} record={record} />;
  return (
    <>
      <p>{stateOf(record)}</p>
      {record.description !== null && <p>{record.description}</p>}
      <Facts record={record} at={at} />
      <FailedRuntimes at={at} />
    </>
  );
}

function EditedOverview({ at, record }: ScreenProperties) {
  const queries = useQueryClient();
  const editing = useEditing(at, record, detailsForm);
  const action = useSave(at, {
    onSaved: (before, after) => {
      editing.advanceBase(before, after);
      if (after.deleted && !before.deleted)
        notify('The record was deleted.', { Undo: () => void undo(before) });
      if (before.deleted && !after.deleted) notify('The record was restored. It is disabled.');
    },
  });
  const isBusy = action.isPending || editing.save.isPending;
  const write = (field: 'enabled' | 'deleted', value: boolean): void => {
    const changes: Changes = new Map([[field, { value, isSecret: false }]]);
    if (!isBusy) action.write(record, changes);
  };
  /** Restores the record as it was before it was deleted. */
  const undo = async ({ enabled }: ConfigRecord): Promise<void> => {
    try {
      await recordsOf(at).update(at.id, () => ({ deleted: false, enabled }));
    } catch {
      notify('The record could not be restored. Open it and try again.');
    }
    await queries.invalidateQueries({ queryKey: recordKey(at) });
  };
  return (
    <>
      <div className="actions acts">
        {record.deleted ? (
          <>
            <strong>{stateOf(record)}</strong>
            <button type="button" onClick={() => write('deleted', false)} disabled={isBusy}>
              Restore
            </button>
          </>
        ) : (
          <>
            <EnabledSwitch
              name={recordName(record)}
              isEnabled={record.enabled}
              onChange={(enabled) => write('enabled', enabled)}
            />
            <span aria-hidden="true">{stateOf(record)}</span>
          </>
        )}
      </div>
      <ErrorNote error={action.error} />
      <Facts record={record} at={at} />
      <FailedRuntimes at={at} />
      <h2>Name and description</h2>
      <RecordForm editing={editing} title="Name and description" isBusy={action.isPending} />
      {!record.deleted && (
        <p className="actions">
          <button type="button" className="danger" onClick={() => write('deleted', true)} disabled={isBusy}>
            Delete
          </button>
          <span className="hint">Removes the record from the list and disables it. It can be restored.</span>
        </p>
      )}
      <ConflictDialog
        at={at}
        save={action}
        onMerge={(theirs, kept) => (kept.size > 0 ? action.write(theirs, kept) : action.dismiss())}
        onDiscard={action.dismiss}
      />
    </>
  );
}

/** The runtimes that could not apply the record, and why. */
function FailedRuntimes({ at }: { readonly at: RecordRef }) {
  const { data = [], error, refetch } = useRuntimes(at);
  const failures = data.flatMap((runtime) =>
    runtime.failed.filter(({ id }) => id === at.id).map((failure) => ({ ...runtime, reason: failure.error })),
  );
  if (error !== null) return <ErrorNote error={error} retry={refetch} />;
  if (failures.length === 0) return null;
  return (
    <section aria-labelledby="failed-runtimes">
      <h2 id="failed-runtimes">Not applied by</h2>
      <ul className="rows">
        {failures.map(({ instance, online, last_seen_at: seen, reason }) => (
          <li key={instance}>
            <div>
              <Link href={`${familyPath(at)}/runtimes`}>{instance}</Link>
              <pre className="last-error">{reason}</pre>
            </div>
            <span className="hint">
              {online ? 'online' : 'offline'}, seen <Time at={seen} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function stateOf({ deleted, enabled }: ConfigRecord): string {
  if (deleted) return 'This record is deleted.';
  return enabled ? 'Enabled' : 'Disabled';
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
