import { PluginConfigError, type NewRecord, type RegisteredPlugin } from '@plugin-config/client';
import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { familyKey, recordsOf } from '../live/use-family.ts';
import { recordName } from '../record/plugin-info.ts';
import { useMayWrite } from '../session/session.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import { familyPath, recordPath, type FamilyRef } from '../shell/addresses.ts';
import { Heading, parentOf } from '../shell/heading.tsx';
import { service } from '../shell/service.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { Choice, Form, inputsFor, Select, TextArea, TextField } from '../ui/fields.tsx';
import { notify } from '../ui/notices.tsx';
import { QueryResult, useChange, useRead } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';

const OTHER = 'other';

/** Attaches a plugin to a project. A form creates one record, however often it is submitted. */
export function Attach({ at }: { readonly at: FamilyRef }) {
  const mayWrite = useMayWrite();
  const registered = useRead(['plugins', 'all'], async (options) =>
    Array.fromAsync(service.plugins.list({ limit: 1000 }, options)),
  );
  return (
    <>
      <Heading parent={parentOf(at)} title="Attach a plugin" />
      <QueryResult query={registered} what="plugins">
        {(plugins) => (
          <>
            {plugins.length === 0 && (
              <p className="hint">
                No plugins are registered yet, so enter the number of a plugin. Register one with{' '}
                <code>npm run cli -- plugin register plugin.json</code> to choose it by name and configure it
                in a form.
              </p>
            )}
            {mayWrite ? (
              <AttachForm at={at} plugins={plugins} />
            ) : (
              <p>Attaching a plugin requires a key with the plugin:write scope.</p>
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

interface Properties {
  readonly at: FamilyRef;
  readonly plugins: readonly RegisteredPlugin[];
}

const emptyDraft = (chosen: string) => ({
  idempotencyKey: crypto.randomUUID(),
  chosen,
  number: '',
  name: '',
  description: '',
  enabled: false,
});

type Draft = ReturnType<typeof emptyDraft>;

const hasInput = ({ number, name, description }: Draft): boolean => number + name + description !== '';

function AttachForm({ at, plugins }: Properties) {
  const [, navigate] = useLocation();
  const [draft, setDraft] = useDraftState(() => emptyDraft(plugins.length === 0 ? OTHER : ''), hasInput);
  const { idempotencyKey, chosen, number, name, description, enabled } = draft;
  const { text, choice } = inputsFor(draft, setDraft);
  const attach = useChange(async (record: NewRecord) => recordsOf(at).create(record, { idempotencyKey }), {
    affects: familyKey(at),
    onSuccess: (record) => notify(`${recordName(record)} was attached at position ${record.order}.`),
  });
  const path = attach.isSuccess ? recordPath({ ...at, id: attach.data.id }) : null;
  useConfirmLeaving(path === null && hasInput(draft));
  useEffect(() => {
    if (path !== null) navigate(path, { replace: true });
  }, [path, navigate]);
  const pluginDescription = plugins.find(({ id }) => String(id) === chosen)?.description;
  const mayBeAttached = mayHaveSucceeded(attach.error);
  const isSent = attach.isPending || attach.isSuccess;
  return (
    <Form
      className="fields"
      onSubmit={() => {
        if (isSent) return;
        attach.mutate({
          plugin: Number(chosen === OTHER ? number : chosen),
          enabled,
          ...(name !== '' && { name }),
          ...(description !== '' && { description }),
        });
      }}
    >
      <fieldset disabled={isSent || mayBeAttached}>
        {plugins.length > 0 && (
          <Select
            label="Plugin"
            options={[
              ['', 'Choose a plugin'],
              ...plugins.map((plugin) => [String(plugin.id), `${plugin.name} (${plugin.id})`] as const),
              [OTHER, 'Other (enter its number)'],
            ]}
            required
            {...text('chosen')}
          />
        )}
        {pluginDescription !== undefined && <p className="hint">{pluginDescription}</p>}
        {chosen === OTHER && (
          <TextField
            label="Plugin number"
            inputMode="numeric"
            pattern="[1-9][0-9]{0,9}"
            title="A whole number, 1 or higher"
            required
            {...text('number')}
          />
        )}
        <TextField label="Name" maxLength={400} {...text('name')} />
        <TextArea label="Description" rows={3} maxLength={1000} {...text('description')} />
        <Choice label="Enable now (it runs last in the order)" {...choice('enabled')} />
      </fieldset>
      <ErrorNote error={attach.error} />
      {mayBeAttached && (
        <p>The plugin may or may not have been attached. Try again: it will not be attached twice.</p>
      )}
      <p className="actions">
        <button type="submit" className="primary" disabled={isSent}>
          <Plus />
          {attach.isPending ? 'Attaching…' : mayBeAttached ? 'Try again' : 'Attach'}
        </button>
        <Link href={familyPath(at)} className="button">
          Cancel
        </Link>
      </p>
    </Form>
  );
}

/** Whether the service may have carried out a failed request. */
function mayHaveSucceeded(error: Error | null): boolean {
  if (!(error instanceof PluginConfigError)) return false;
  return error.status === null || error.status >= 500 || error.code === 'idempotency_in_flight';
}
