import { PluginConfigError, type NewRecord } from '@plugin-config/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { readFamilyNow, recordsOf } from '../live/use-family.ts';
import { may, mayEverywhere } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import { familyPath, recordPath, type FamilyRef } from '../shell/addresses.ts';
import { FamilyHeading } from '../shell/family-heading.tsx';
import { service } from '../shell/service.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Choice, Form, Select, TextArea, TextField } from '../ui/fields.tsx';
import { useNotify } from '../ui/notices.tsx';
import { QueryResult } from '../ui/query-result.tsx';
import './attach.css';

const LIMIT = 1000;
const OTHER = 'other';

/** Attaches a plugin to a project. A form creates one record, however often it is sent. */
export function Attach({ at }: { readonly at: FamilyRef }) {
  const mayWrite = may(useKey(), 'plugin:write');
  const registered = useQuery({
    queryKey: ['plugins', 'all'],
    queryFn: async ({ signal }) => Array.fromAsync(service.plugins.list({ limit: LIMIT }, { signal })),
  });
  return (
    <>
      <FamilyHeading at={at} title="Attach a plugin" />
      <QueryResult query={registered} what="plugins">
        {(plugins) => (
          <>
            {plugins.length === 0 && <NoneRegistered />}
            {mayWrite && <AttachForm at={at} plugins={plugins} />}
          </>
        )}
      </QueryResult>
      {!mayWrite && (
        <p>
          Attaching a plugin requires a key with the <code>plugin:write</code> scope.
        </p>
      )}
    </>
  );
}

interface Draft {
  readonly idempotencyKey: string;
  readonly chosen: string;
  readonly number: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
}

const emptyDraft = (chosen: string): Draft => ({
  idempotencyKey: crypto.randomUUID(),
  chosen,
  number: '',
  name: '',
  description: '',
  enabled: false,
});

const hasInput = ({ number, name, description }: Draft): boolean =>
  [number, name, description].some((text) => text !== '');

interface Properties {
  readonly at: FamilyRef;
  readonly plugins: readonly {
    readonly id: number;
    readonly name: string;
    readonly description?: string | undefined;
  }[];
}

function AttachForm({ at, plugins }: Properties) {
  const queries = useQueryClient();
  const notify = useNotify();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useDraftState(() => emptyDraft(plugins.length === 0 ? OTHER : ''), hasInput);
  const { idempotencyKey, chosen, number, name, description, enabled } = draft;
  const edit = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const attach = useMutation({
    mutationFn: async (record: NewRecord) => recordsOf(at).create(record, { idempotencyKey }),
    onSuccess: async (record) => {
      await readFamilyNow(queries, at);
      notify(`${record.name ?? `Record ${record.id}`} was attached at position ${record.order}.`);
    },
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
      className="attach"
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
            value={chosen}
            options={[
              ['', 'Choose a plugin'],
              ...plugins.map((plugin) => [String(plugin.id), `${plugin.name} (${plugin.id})`] as const),
              [OTHER, 'Other (enter its number)'],
            ]}
            required
            onChange={(value) => edit({ chosen: value })}
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
            value={number}
            onChange={(text) => edit({ number: text })}
          />
        )}
        <TextField label="Name" value={name} maxLength={400} onChange={(text) => edit({ name: text })} />
        <TextArea
          label="Description"
          rows={3}
          value={description}
          maxLength={1000}
          onChange={(text) => edit({ description: text })}
        />
        <Choice
          label="Enable now (it runs last in the order)"
          checked={enabled}
          onChange={(isOn) => edit({ enabled: isOn })}
        />
      </fieldset>
      {attach.error !== null && <ErrorNote error={attach.error} />}
      {mayBeAttached && (
        <p>The plugin may or may not have been attached. Try again: it will not be attached twice.</p>
      )}
      <p className="actions">
        <Link href={familyPath(at)}>Cancel</Link>
        <button type="submit" className="primary" disabled={isSent}>
          {attach.isPending ? 'Attaching…' : mayBeAttached ? 'Try again' : 'Attach'}
        </button>
      </p>
    </Form>
  );
}

function NoneRegistered() {
  const mayRegister = mayEverywhere(useKey(), 'plugin_registry:write');
  return (
    <p className="hint">
      No plugins are registered, so enter the number of one.{' '}
      {mayRegister ? (
        <>
          <Link href="/administration/plugins">Register plugins</Link>, or have the operator run{' '}
        </>
      ) : (
        'To register plugins, have the operator run '
      )}
      <code>npm run cli -- plugin register plugin.json</code>. Registered plugins are listed here by name and
      get a configuration form.
    </p>
  );
}

/** Whether the service may have carried out a failed request. */
function mayHaveSucceeded(error: Error | null): boolean {
  if (!(error instanceof PluginConfigError)) return false;
  return error.status === null || error.status >= 500 || error.code === 'idempotency_in_flight';
}
