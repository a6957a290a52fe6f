import type { ConfigRecord } from '@plugin-config/client';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { ConfigurationFacts } from '../configuration/configuration-facts.tsx';
import { configurationForm } from '../configuration/configuration-form.ts';
import { ConflictDialog } from '../conflict/conflict-dialog.tsx';
import { fieldsOf } from '../editing/field.ts';
import { RecordForm } from '../editing/record-form.tsx';
import { useEditing } from '../editing/use-editing.ts';
import { useSave } from '../editing/use-save.ts';
import { RecentChanges } from '../history/recent-changes.tsx';
import { RecordIncidents } from '../incidents/record-incidents.tsx';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { useMayWrite } from '../session/session.ts';
import { recordPath } from '../shell/addresses.ts';
import { EnabledSwitch } from '../ui/enabled-switch.tsx';
import { notify } from '../ui/notices.tsx';
import { Panel } from '../ui/panel.tsx';
import { ReadError } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import type { Changes } from './changes.ts';
import { detailsForm } from './details.tsx';
import { Facts } from './facts.tsx';
import { Errors, FailedRuntimes, Health } from './health.tsx';
import { recordName } from './plugin-info.ts';
import { useRecordOverview } from './use-record-overview.ts';
import type { ScreenProperties } from './use-record.ts';

export function Overview({ at, record }: ScreenProperties) {
  const mayWrite = useMayWrite();
  if (mayWrite) return <EditedOverview key={at.id} at={at} record={record} />;
  return (
    <Columns
      at={at}
      record={record}
      head={
        <>
          <strong>{stateOf(record)}</strong>
          {record.description !== null && <p>{record.description}</p>}
        </>
      }
    />
  );
}

interface ColumnProperties extends ScreenProperties {
  /** The state of the record, above its facts. */
  readonly head: ReactNode;
  /** Shown below what the record is. */
  readonly children?: ReactNode;
}

/** The record on the left, and its recent events on the right. */
function Columns({ at, record, head, children }: ColumnProperties) {
  const mayWrite = useMayWrite();
  const form = configurationForm(record);
  const overview = useRecordOverview(at);
  const { data } = overview;
  return (
    <div className="columns">
      <div className="stack">
        <section className="panel stack">
          {head}
          <Facts record={record} at={at} />
        </section>
        {at.family === 'plugin_configs' && <Health at={at} record={record} overview={data} />}
        <Panel title="Configuration" link={[`${recordPath(at)}/configuration`, mayWrite ? 'Edit' : 'Open']}>
          {fieldsOf(form).length === 0 ? (
            <p className="hint">This plugin has no settings.</p>
          ) : (
            <ConfigurationFacts form={form} />
          )}
        </Panel>
        {children}
      </div>
      <div className="stack">
        <ReadError error={overview.error} />
        <RecordIncidents projectId={at.projectId} incidents={data?.incidents.newest ?? []} />
        <FailedRuntimes at={at} runtimes={data?.runtimes ?? []} />
        <Errors at={at} record={record} overview={data} />
        {(data !== undefined || overview.error === null) && <RecentChanges at={at} changes={data?.changes} />}
      </div>
    </div>
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
  /** Restores the record to its state before the deletion. */
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
      <ErrorNote error={action.error} />
      <Columns
        at={at}
        record={record}
        head={
          <div className="actions">
            {record.deleted ? (
              <>
                <strong>{stateOf(record)}</strong>
                <button
                  type="button"
                  className="primary end"
                  onClick={() => write('deleted', false)}
                  disabled={isBusy}
                >
                  <Undo2 />
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
                <strong aria-hidden="true">{stateOf(record)}</strong>
                <button
                  type="button"
                  className="danger end"
                  title="Removes the record from the list and disables it. It can be restored."
                  onClick={() => write('deleted', true)}
                  disabled={isBusy}
                >
                  <Trash2 />
                  Delete
                </button>
              </>
            )}
          </div>
        }
      >
        <Panel title="Name and description">
          <RecordForm editing={editing} title="Name and description" isBusy={action.isPending} />
        </Panel>
      </Columns>
      <ConflictDialog at={at} save={action} onKeepMine={action.write} onTakeTheirs={action.dismiss} />
    </>
  );
}

function stateOf({ deleted, enabled }: ConfigRecord): string {
  if (deleted) return 'This record is deleted.';
  return enabled ? 'Enabled' : 'Disabled';
}
