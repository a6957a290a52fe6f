import type { RegisteredPlugin } from '@plugin-config/client';
import { useQueryClient } from '@tanstack/react-query';
import { Blocks, ChevronLeft, Plus, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { PLUGINS_KEY, usePlugin } from '../record/use-plugins.ts';
import { mayEverywhere, useKey } from '../session/session.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import { service } from '../shell/service.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { isNotFound } from '../ui/error-text.ts';
import { Choice, Form, inputsFor, TextArea, TextField } from '../ui/fields.tsx';
import { notify } from '../ui/notices.tsx';
import { QueryResult, useChange } from '../ui/queries.tsx';
import { Empty, ErrorNote } from '../ui/states.tsx';
import { useVersions } from '../versions/use-versions.ts';
import { VersionList } from '../versions/version-list.tsx';
import { hasDeclaredVersions } from '../versions/version-words.ts';
import {
  emptyField,
  formOf,
  registeredText,
  registrationOf,
  textsOf,
  type RegistrationForm,
} from './registration-form.ts';
import { SchemaField } from './schema-field.tsx';

const PLUGINS_PATH = '/administration/plugins';
const REMOVE =
  'Remove the plugin? Its schema is deleted. Records that use it stay, but lose its name and form, and their configuration is no longer validated.';

/** The registration of a plugin; the id `new` opens an empty form. */
export function PluginPage({ id }: { readonly id: string }) {
  return (
    <>
      <p className="hint">
        <Link href={PLUGINS_PATH} className="with-icon">
          <ChevronLeft />
          All plugins
        </Link>
      </p>
      {id === 'new' ? (
        <>
          <h2>Register a plugin</h2>
          <PluginForm registered={null} />
        </>
      ) : (
        <Registered id={Number(id)} />
      )}
    </>
  );
}

function Registered({ id }: { readonly id: number }) {
  const query = usePlugin(id);
  const versions = useVersions(id);
  if (isNotFound(query.error)) return <Empty icon={Blocks} title={`Plugin ${id} is not registered`} />;
  return (
    <QueryResult query={query} what="plugin">
      {(registered) => (
        <QueryResult query={versions} what="versions">
          {(all) => (
            <>
              <h2>{registered.name}</h2>
              {hasDeclaredVersions(all) ? (
                <div className="stack">
                  <VersionList plugin={id} versions={all} />
                  <PluginForm registered={registered} isVersioned />
                </div>
              ) : (
                <PluginForm registered={registered} />
              )}
            </>
          )}
        </QueryResult>
      )}
    </QueryResult>
  );
}

interface Properties {
  readonly registered: RegisteredPlugin | null;
  /** Whether its versions declare its schema, jobs and checks. */
  readonly isVersioned?: boolean;
}

/** Registers a plugin if `registered` is null, otherwise replaces its registration. */
function PluginForm({ registered, isVersioned = false }: Properties) {
  const isAllowed = mayEverywhere(useKey(), 'plugin_registry:write');
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [untouched] = useState(() => formOf(registered));
  const [form, setForm] = useDraftState(
    () => untouched,
    (state) => state !== untouched,
  );
  const { text, choice } = inputsFor(form, setForm);
  const id = Number(form.id);
  const finish = async (notice: string): Promise<void> => {
    queries.removeQueries({ queryKey: [...PLUGINS_KEY, id] });
    await queries.invalidateQueries({ queryKey: PLUGINS_KEY, refetchType: 'all' });
    notify(notice);
  };
  const register = useChange(
    async () => service.plugins.register(id, isVersioned ? textsOf(form) : registrationOf(form)),
    {
      affects: PLUGINS_KEY,
      onSuccess: async (result) => finish(registeredText(result)),
    },
  );
  const remove = useChange(async () => service.plugins.remove(id), {
    affects: PLUGINS_KEY,
    onSuccess: async () => finish(`${form.name} was removed.`),
  });
  const isDone = register.isSuccess || remove.isSuccess;
  useConfirmLeaving(!isDone && form !== untouched);
  useEffect(() => {
    if (isDone) navigate(PLUGINS_PATH);
  }, [isDone, navigate]);
  const { fields } = form;
  const setFields = (changed: RegistrationForm['fields']): void => setForm({ ...form, fields: changed });
  return (
    <Form className="fields" onSubmit={() => register.mutate()}>
      <fieldset disabled={!isAllowed}>
        <legend>Plugin</legend>
        <TextField
          label="ID (the number that records refer to)"
          inputMode="numeric"
          pattern="[1-9][0-9]*"
          required
          readOnly={registered !== null}
          {...text('id')}
        />
        <TextField
          label="Slug (optional, such as geoip)"
          pattern="[a-z0-9][a-z0-9\-]*"
          maxLength={63}
          {...text('slug')}
        />
        <TextField label="Name" required {...text('name')} />
        <TextField label="Description" {...text('description')} />
        <TextField label="Homepage URL" {...text('url')} />
        <TextField label="Icon URL" {...text('icon')} />
      </fieldset>
      {!isVersioned && (
        <>
          <fieldset disabled={!isAllowed}>
            <legend>What its runtimes do</legend>
            <TextArea
              label="Jobs (JSON)"
              rows={4}
              className="code"
              spellCheck={false}
              placeholder='[{"type": "replay", "name": "Send again", "payload_schema": {"type": "object"}}]'
              {...text('jobs')}
            />
            <Choice label="They check configurations before they are saved" {...choice('checks')} />
          </fieldset>
          {fields.map((field, index) => (
            <SchemaField
              key={field.row}
              field={field}
              isAllowed={isAllowed}
              onChange={(changed) => setFields(fields.with(index, changed))}
              onRemove={() => setFields(fields.toSpliced(index, 1))}
            />
          ))}
          {fields.length === 0 && <p className="hint">No fields yet. The configuration accepts any keys.</p>}
        </>
      )}
      {isAllowed && (
        <p className="actions">
          {!isVersioned && (
            <button
              type="button"
              onClick={() =>
                setFields([...fields, emptyField(1 + Math.max(-1, ...fields.map(({ row }) => row)))])
              }
            >
              <Plus />
              Add field
            </button>
          )}
          <button type="submit" className="primary" disabled={register.isPending}>
            {registered === null ? 'Register' : 'Save changes'}
          </button>
          {registered !== null && (
            <button
              type="button"
              className="danger"
              onClick={() => window.confirm(REMOVE) && remove.mutate()}
            >
              <Trash2 />
              Remove
            </button>
          )}
        </p>
      )}
      <ErrorNote error={register.error ?? remove.error} />
    </Form>
  );
}
