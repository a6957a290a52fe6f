import type { RegisteredPlugin } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { mayEverywhere } from '../../session/may.ts';
import { useKey } from '../../session/session.ts';
import { useDraftState } from '../../session/use-draft-state.ts';
import { service } from '../../shell/service.ts';
import { useConfirmLeaving } from '../../ui/confirm-leaving.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Form, TextField } from '../../ui/fields.tsx';
import { useNotify } from '../../ui/notices.tsx';
import { pluginKey, PLUGINS_KEY } from './plugin-queries.ts';
import { emptyField, formOf, registrationOf, type RegistrationForm } from './registration-form.ts';
import { SchemaField } from './schema-field.tsx';

const TEXTS = [
  ['name', 'Name', true],
  ['description', 'Description', false],
  ['url', 'Homepage URL', false],
  ['icon', 'Icon URL', false],
] as const;

/** Registers a plugin if `registered` is null, otherwise replaces its registration. */
export function PluginForm({ registered }: { readonly registered: RegisteredPlugin | null }) {
  const isAllowed = mayEverywhere(useKey(), 'plugin_registry:write');
  const queries = useQueryClient();
  const notify = useNotify();
  const [, navigate] = useLocation();
  const [untouched] = useState(() => ({
    id: registered === null ? '' : String(registered.id),
    form: formOf(registered),
  }));
  const [draft, setDraft] = useDraftState(
    () => untouched,
    (state) => state !== untouched,
  );
  const { id, form } = draft;
  const setForm = (changed: RegistrationForm): void => setDraft({ id, form: changed });
  const [isRemoving, setRemoving] = useState(false);
  const finish = async (text: string): Promise<void> => {
    queries.removeQueries({ queryKey: pluginKey(Number(id)) });
    await queries.invalidateQueries({ queryKey: PLUGINS_KEY, refetchType: 'all' });
    notify(text);
  };
  const register = useMutation({
    mutationFn: async () => service.plugins.register(Number(id), registrationOf(form)),
    onSuccess: async () => finish(`${form.name} was registered.`),
  });
  const remove = useMutation({
    mutationFn: async () => service.plugins.remove(Number(id)),
    onSuccess: async () => finish(`${form.name} was removed.`),
  });
  const isDone = register.isSuccess || remove.isSuccess;
  useConfirmLeaving(!isDone && draft !== untouched);
  useEffect(() => {
    if (isDone) navigate('/administration/plugins');
  }, [isDone, navigate]);
  const { fields } = form;
  const setFields = (changed: RegistrationForm['fields']): void => setForm({ ...form, fields: changed });
  return (
    <>
      <h2>{registered === null ? 'Register a plugin' : registered.name}</h2>
      <Form className="fields" onSubmit={() => register.mutate()}>
        <fieldset disabled={!isAllowed}>
          <legend>Plugin</legend>
          <TextField
            label="ID (the number that records refer to)"
            value={id}
            inputMode="numeric"
            pattern="[1-9][0-9]*"
            required
            readOnly={registered !== null}
            onChange={(text) => setDraft({ id: text, form })}
          />
          {TEXTS.map(([field, label, isRequired]) => (
            <TextField
              key={field}
              label={label}
              value={form[field]}
              required={isRequired}
              onChange={(text) => setForm({ ...form, [field]: text })}
            />
          ))}
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
        {isAllowed && (
          <p className="actions">
            <button
              type="button"
              onClick={() =>
                setFields([...fields, emptyField(1 + Math.max(-1, ...fields.map(({ row }) => row)))])
              }
            >
              Add field
            </button>
            <button type="submit" className="primary" disabled={register.isPending}>
              {registered === null ? 'Register' : 'Save changes'}
            </button>
            {registered !== null && (
              <button type="button" className="danger" onClick={() => setRemoving(true)}>
                Remove
              </button>
            )}
          </p>
        )}
        {register.error !== null && <ErrorNote error={register.error} />}
      </Form>
      {isRemoving && (
        <FormDialog
          title={`Remove ${form.name}?`}
          submitLabel="Remove plugin"
          isDisabled={remove.isPending}
          error={remove.error}
          isDanger
          onSubmit={() => remove.mutate()}
          onClose={() => setRemoving(false)}
        >
          <p>
            Its schema is deleted. Records that use the plugin stay, but lose its name and form, and their
            configuration is no longer validated.
          </p>
        </FormDialog>
      )}
    </>
  );
}
