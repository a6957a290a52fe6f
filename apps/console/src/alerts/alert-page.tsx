import type { Alert, Page } from '@plugin-config/client';
import { Lock, Trash2 } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useDeletion } from '../editing/use-deletion.ts';
import { useStoredForm } from '../editing/use-stored-form.ts';
import { IncidentRow, type ShownIncident } from '../incidents/incident-row.tsx';
import { useMayWrite } from '../session/session.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import { alertsPath, idOf } from '../shell/addresses.ts';
import { Heading } from '../shell/heading.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { isNotFound } from '../ui/error-text.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { Form } from '../ui/fields.tsx';
import { Listing, QueryResult, useChange, useListing, useRead } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { AlertFields } from './alert-fields.tsx';
import { alertOf, formOf, NEW_ALERT, previewOf, type AlertForm } from './alert-form.ts';
import { alertsKey, alertsOf, incidentsOf, REFRESH_MS, type AlertOwner } from './alerts-of.ts';
import { BrokenBadge } from './alerts.tsx';
import { Preview } from './preview.tsx';
import './alerts.css';

interface Properties {
  readonly projectId: AlertOwner;
}

const parentOf = (projectId: AlertOwner) => [alertsPath(projectId), 'Alerts'] as const;

/** An alert; the id `new` opens an empty form. */
export function AlertPage({ projectId, id }: Properties & { readonly id: string }) {
  const mayWrite = useMayWrite(projectId);
  const number = idOf(id);
  if (number !== null) return <StoredAlert key={number} projectId={projectId} id={number} />;
  return (
    <>
      <Heading title="Create an alert" parent={parentOf(projectId)} />
      {mayWrite ? (
        <CreateAlert projectId={projectId} />
      ) : (
        <Empty icon={Lock} title="You may not create alerts">
          <p>It requires the plugin:write scope.</p>
        </Empty>
      )}
    </>
  );
}

/** An alert with its incidents. */
function StoredAlert({ projectId, id }: Properties & { readonly id: number }) {
  const alerts = alertsOf(projectId);
  const query = useRead([...alertsKey(projectId), id], async (options) => alerts.retrieve(id, options), {
    // Each state of the alert has its own entity tag.
    structuralSharing: false,
  });
  const incidents = useListing(
    [...alertsKey(projectId), id, 'incidents'],
    async (range, options): Promise<Page<ShownIncident>> =>
      incidentsOf(projectId)({ ...range, alert: id }, options).page(),
    () => REFRESH_MS,
  );
  const { data } = query;
  if (isNotFound(query.error)) return <NotFound />;
  return (
    <>
      <Heading title={data?.name ?? `Alert ${id}`} parent={parentOf(projectId)}>
        {data?.broken === true && <BrokenBadge />}
      </Heading>
      <QueryResult query={query} what="alert">
        {(alert) => (
          <>
            <EditAlert projectId={projectId} alert={alert} />
            <section className="after" aria-labelledby="incidents">
              <h2 id="incidents">Incidents</h2>
              <Listing
                list={incidents}
                what="incidents"
                empty={<p className="hint">This alert has opened no incident in the last 90 days.</p>}
              >
                {(incident) => <IncidentRow projectId={projectId} incident={incident} omits="alert" />}
              </Listing>
            </section>
          </>
        )}
      </QueryResult>
    </>
  );
}

function CreateAlert({ projectId }: Properties) {
  const [, navigate] = useLocation();
  const [form, setForm] = useDraftState(
    () => NEW_ALERT,
    (draft) => draft !== NEW_ALERT,
  );
  const create = useChange(async () => alertsOf(projectId).create(alertOf(form)), {
    affects: alertsKey(projectId),
    notice: `${form.name} was created.`,
  });
  const { isSuccess } = create;
  useConfirmLeaving(!isSuccess && form !== NEW_ALERT);
  useEffect(() => {
    if (isSuccess) navigate(alertsPath(projectId), { replace: true });
  }, [isSuccess, navigate, projectId]);
  return (
    <AlertEditor
      projectId={projectId}
      form={form}
      onChange={setForm}
      onSubmit={() => create.isPending || create.mutate()}
    >
      <ErrorNote error={create.error} />
      <p className="actions">
        <button type="submit" className="primary" aria-disabled={create.isPending}>
          Create
        </button>
        <Link href={alertsPath(projectId)} className="button">
          Cancel
        </Link>
      </p>
    </AlertEditor>
  );
}

function EditAlert({ projectId, alert }: Properties & { readonly alert: Alert }) {
  const alerts = alertsOf(projectId);
  const { id, name } = alert;
  const queryKey = [...alertsKey(projectId), id];
  const mayWrite = useMayWrite(projectId);
  const editing = useStoredForm({
    stored: alert,
    formOf,
    requestOf: alertOf,
    queryKey,
    read: async () => alerts.retrieve(id),
    write: async (base, change) => alerts.update(id, change, { ifMatch: base }),
    affects: alertsKey(projectId),
  });
  const remove = useDeletion({
    remove: async () => alerts.delete(id),
    discard: editing.discard,
    queryKey,
    affects: alertsKey(projectId),
    notice: `${name} was deleted.`,
    path: alertsPath(projectId),
  });
  const isBusy = editing.isSaving || remove.isPending;
  return (
    <AlertEditor
      projectId={projectId}
      form={editing.form}
      onChange={editing.change}
      onSubmit={() => isBusy || editing.save()}
    >
      {editing.hasConflict && (
        <p role="alert">
          This alert has changed. The form shows the changes with yours: check them, then save.
        </p>
      )}
      <ErrorNote error={editing.error ?? remove.error} />
      {mayWrite && (
        <p className="actions">
          <button type="submit" className="primary" aria-disabled={isBusy || !editing.isEdited}>
            Save changes
          </button>
          <button
            type="button"
            className="danger"
            disabled={isBusy}
            onClick={() => window.confirm(deletionQuestion(name)) && remove.mutate()}
          >
            <Trash2 />
            Delete
          </button>
        </p>
      )}
    </AlertEditor>
  );
}

const deletionQuestion = (name: string): string =>
  `Delete ${name}? Its open incidents are closed. This cannot be undone.`;

interface EditorProperties extends Properties {
  readonly form: AlertForm;
  readonly onChange: (form: AlertForm) => void;
  readonly onSubmit: () => void;
  /** Errors and buttons. */
  readonly children: ReactNode;
}

/** The fields of an alert next to its preview, or above it on a narrow page. Alerts on all projects have no preview. */
function AlertEditor({ projectId, form, onChange, onSubmit, children }: EditorProperties) {
  const mayWrite = useMayWrite(projectId);
  return (
    <Form className={projectId === null ? 'stack' : 'columns'} onSubmit={onSubmit}>
      <fieldset className="plain fields" disabled={!mayWrite}>
        <AlertFields projectId={projectId} form={form} onChange={onChange} />
      </fieldset>
      {projectId !== null && (
        <Preview key={JSON.stringify(previewOf(form))} projectId={projectId} form={form} />
      )}
      <div className="fields">{children}</div>
    </Form>
  );
}
