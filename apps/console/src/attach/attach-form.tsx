import { PluginConfigError, type NewRecord, type RegisteredPlugin } from '@plugin-config/client';
import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { CheckButton, CheckOutcome } from '../configuration/check-outcome.tsx';
import { schemaFields } from '../configuration/configuration-form.ts';
import { useCheck } from '../configuration/use-check.ts';
import { FieldInputs } from '../editing/field-inputs.tsx';
import { changesOf, NO_DRAFTS, withDraft } from '../editing/field.ts';
import { problemsOf } from '../editing/problems.ts';
import { useProblems } from '../editing/use-problems.ts';
import { familyKey, recordsOf } from '../live/use-family.ts';
import { entriesToChange } from '../record/changes.ts';
import { recordName } from '../record/plugin-info.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import { familyPath, recordPath, type FamilyRef } from '../shell/addresses.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { Choice, Form, inputsFor, Select, TextArea, TextField } from '../ui/fields.tsx';
import { notify } from '../ui/notices.tsx';
import { useChange } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';

const OTHER = 'other';

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
  /** The input for the configuration. */
  drafts: NO_DRAFTS,
});

type Draft = ReturnType<typeof emptyDraft>;

const hasInput = ({ number, name, description, drafts }: Draft): boolean =>
  number + name + description !== '' || drafts.size > 0;

/** Attaches a plugin, configured or not. It creates one record, however often it is submitted. */
export function AttachForm({ at, plugins }: Properties) {
  const [, navigate] = useLocation();
  const [draft, setDraft] = useDraftState(() => emptyDraft(plugins.length === 0 ? OTHER : ''), hasInput);
  const { idempotencyKey, chosen, number, name, description, enabled, drafts } = draft;
  const { text, choice } = inputsFor(draft, setDraft);
  const plugin = plugins.find(({ id }) => String(id) === chosen);
  const form = { fields: schemaFields(plugin?.config_schema), others: null };
  const { changes, problems: own } = changesOf(form, drafts);
  const { element, problems, reject, forget, forgetAll } = useProblems();
  const config = entriesToChange(changes);
  const check = useCheck({
    at,
    form,
    mistakes: own,
    reject,
    draft: { plugin: plugin?.id ?? 0, config },
  });
  const attach = useChange(
    () => {
      const record: NewRecord = {
        plugin: Number(chosen === OTHER ? number : chosen),
        enabled,
        ...(name !== '' && { name }),
        ...(description !== '' && { description }),
        ...(changes.size > 0 && { config }),
      };
      return recordsOf(at).create(record, { idempotencyKey });
    },
    {
      affects: familyKey(at),
      // The cache must not keep what was sent: it may contain a secret.
      gcTime: 0,
      onSuccess: (record) => notify(`${recordName(record)} was attached at position ${record.order}.`),
      onError: (error) => reject(problemsOf(error, form)),
    },
  );
  const path = attach.isSuccess ? recordPath({ ...at, id: attach.data.id }) : null;
  useConfirmLeaving(path === null && hasInput(draft));
  useEffect(() => {
    if (path !== null) navigate(path, { replace: true });
  }, [path, navigate]);
  const mayBeAttached = mayHaveSucceeded(attach.error);
  const isSent = attach.isPending || attach.isSuccess;
  return (
    <Form
      ref={element}
      className="fields"
      onSubmit={() => {
        // A record that stays disabled can be configured later.
        if (own.size > 0 && (enabled || drafts.size > 0)) reject(own);
        else if (!isSent) attach.mutate();
      }}
    >
      <fieldset disabled={isSent || mayBeAttached}>
        {plugins.length > 0 && (
          <Select
            label="Plugin"
            options={[
              ['', 'Choose a plugin'],
              ...plugins.map(({ id, name: title }) => [String(id), `${title} (${id})`] as const),
              [OTHER, 'Other (enter its number)'],
            ]}
            required
            value={chosen}
            onChange={(value) => {
              setDraft({ ...draft, chosen: value, drafts: NO_DRAFTS });
              forgetAll();
            }}
          />
        )}
        {plugin?.description !== undefined && <p className="hint">{plugin.description}</p>}
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
      </fieldset>
      {form.fields.length > 0 && (
        <fieldset disabled={isSent || mayBeAttached}>
          <legend>Configuration</legend>
          <FieldInputs
            fields={form.fields}
            drafts={drafts}
            problems={problems}
            onEdit={(field, typed, place) => {
              setDraft({ ...draft, drafts: withDraft(drafts, field, typed) });
              forget(place);
            }}
          />
        </fieldset>
      )}
      <Choice
        label="Enable now (it runs last in the order)"
        disabled={isSent || mayBeAttached}
        {...choice('enabled')}
      />
      <CheckOutcome at={at} form={form} check={check} />
      <ErrorNote error={attach.error} />
      {mayBeAttached && (
        <p>The plugin may or may not have been attached. Try again: it will not be attached twice.</p>
      )}
      <p className="actions">
        <button type="submit" className="primary" disabled={isSent}>
          <Plus />
          {attach.isPending ? 'Attaching…' : mayBeAttached ? 'Try again' : 'Attach'}
        </button>
        {plugin?.checks === true && !isSent && <CheckButton check={check} />}
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
