import { PluginConfigError, type NewRecord } from '@plugin-config/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { readFamilyNow, recordsOf } from '../live/use-family.ts';
import { may, mayEverywhere } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import { useTyped } from '../session/use-typed.ts';
import { FAMILIES, familyPath, recordPath, type FamilyRef } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { useAskBeforeLeaving } from '../ui/ask-before-leaving.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { useNotify } from '../ui/notices.tsx';
import { Title } from '../ui/title.tsx';
import './attach.css';

const LIMIT = 1000;
const OTHER = 'other';

/** Attaches a plugin to a project. A form makes one record, however often it is sent. */
export function Attach({ at }: { readonly at: FamilyRef }) {
  const mayWrite = may(useKey(), 'plugin:write');
  const { data, error, refetch } = useQuery({
    queryKey: ['plugins', 'all'],
    queryFn: async ({ signal }) => Array.fromAsync(service.plugins.list({ limit: LIMIT }, { signal })),
  });
  return (
    <>
      <Title>Attach a plugin</Title>
      <p>
        <Link href={familyPath(at)}>{FAMILIES[at.family]}</Link>
      </p>
      <h1>Attach a plugin</h1>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the plugins" />}
      {data?.length === 0 && <NothingRegistered />}
      {!mayWrite && (
        <p>
          Attaching a plugin needs a key with the scope <code>plugin:write</code>.
        </p>
      )}
      {data !== undefined && mayWrite && <AttachForm at={at} plugins={data} />}
    </>
  );
}

interface Draft {
  /** The service carries out the requests of one key once. */
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

const isTyped = ({ number, name, description }: Draft): boolean =>
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
  const [draft, setDraft] = useTyped(() => emptyDraft(plugins.length === 0 ? OTHER : ''), isTyped);
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
  useAskBeforeLeaving(path === null && isTyped(draft));
  useEffect(() => {
    if (path !== null) navigate(path, { replace: true });
  }, [path, navigate]);
  const about = plugins.find(({ id }) => String(id) === chosen)?.description;
  const mayBeDone = mayHaveBeenDone(attach.error);
  const isSent = attach.isPending || attach.isSuccess;
  return (
    <form
      className="attach"
      onSubmit={(event) => {
        event.preventDefault();
        if (isSent) return;
        attach.mutate({
          plugin: Number(chosen === OTHER ? number : chosen),
          enabled,
          ...(name !== '' && { name }),
          ...(description !== '' && { description }),
        });
      }}
    >
      <fieldset disabled={isSent || mayBeDone}>
        {plugins.length > 0 && (
          <label>
            Plugin
            <select value={chosen} required onChange={({ target }) => edit({ chosen: target.value })}>
              <option value="">Choose one</option>
              {plugins.map((plugin) => (
                <option key={plugin.id} value={plugin.id}>
                  {plugin.name} ({plugin.id})
                </option>
              ))}
              <option value={OTHER}>Another one, by its number</option>
            </select>
          </label>
        )}
        {about !== undefined && <p className="hint">{about}</p>}
        {chosen === OTHER && (
          <label>
            Number of the plugin
            <input
              inputMode="numeric"
              pattern="[1-9][0-9]{0,9}"
              title="A whole number from 1 on"
              required
              value={number}
              onChange={({ target }) => edit({ number: target.value })}
            />
          </label>
        )}
        <label>
          Name
          <input value={name} maxLength={400} onChange={({ target }) => edit({ name: target.value })} />
        </label>
        <label>
          Description
          <textarea
            rows={3}
            value={description}
            maxLength={1000}
            onChange={({ target }) => edit({ description: target.value })}
          />
        </label>
        <label className="choice">
          <input
            type="checkbox"
            checked={enabled}
            onChange={({ target }) => edit({ enabled: target.checked })}
          />
          Enabled: it runs at once, after the last one in the order
        </label>
      </fieldset>
      {attach.error !== null && <ErrorNote error={attach.error} />}
      {mayBeDone && (
        <p>It is not known whether the plugin was attached. Try again: it is attached once in any case.</p>
      )}
      <p className="actions">
        <Link href={familyPath(at)}>Cancel</Link>
        <button type="submit" className="primary" disabled={isSent}>
          {attach.isPending ? 'Attaching …' : mayBeDone ? 'Try again' : 'Attach'}
        </button>
      </p>
    </form>
  );
}

function NothingRegistered() {
  const mayRegister = mayEverywhere(useKey(), 'plugin_registry:write');
  return (
    <p className="hint">
      No plugin is registered, so one is attached by its number.{' '}
      {mayRegister ? (
        <>
          <Link href="/administration/plugins">Register plugins</Link>, or have the operator run{' '}
        </>
      ) : (
        'To register plugins, the operator runs '
      )}
      <code>npm run cli -- plugin register plugin.json</code>. Then they are shown here with their names, and
      have a form for their configuration.
    </p>
  );
}

/** Whether the request may have been carried out, although it has failed. */
function mayHaveBeenDone(error: Error | null): boolean {
  if (!(error instanceof PluginConfigError)) return false;
  return error.status === null || error.status >= 500 || error.code === 'idempotency_in_flight';
}
