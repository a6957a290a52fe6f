import type { NewJob } from '@plugin-config/client';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { recordsOf } from '../live/use-family.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { Choice, Form, inputsFor, Select, TextArea, TextField } from '../ui/fields.tsx';
import { useChange } from '../ui/queries.ts';
import { ErrorNote } from '../ui/states.tsx';
import { newJobOf, type JobDraft } from './new-job.ts';

const EMPTY: JobDraft = { kind: 'change', enabled: '', name: '', description: '', type: '', payload: '' };
const KINDS = { change: 'Change the record', task: 'Give the plugin a task' } as const;
const ENABLED = { '': 'No change', true: 'Yes', false: 'No' };

interface Sent {
  readonly job: NewJob;
  readonly idempotencyKey: string;
}

/** Each draft gets its own idempotency key: sending it twice queues one job. */
const formOf = (draft: JobDraft) => ({ draft, idempotencyKey: crypto.randomUUID() });

const hasInput = ({ draft }: { readonly draft: JobDraft }): boolean =>
  Object.entries(draft).some(([name, text]) => name !== 'kind' && text !== '');

interface Properties {
  readonly at: RecordRef;
  /** The key of the queries that read jobs. */
  readonly affects: QueryKey;
}

export function NewJobForm({ at, affects }: Properties) {
  const [{ draft, idempotencyKey }, setForm] = useDraftState(() => formOf(EMPTY), hasInput);
  const [wasTyped] = useState(() => hasInput({ draft }));
  const [problem, setProblem] = useState<string | null>(null);
  const queue = useChange(async ({ job, ...options }: Sent) => recordsOf(at).queueJob(at.id, job, options), {
    affects,
    notice: 'The job was queued.',
    // Keeps what was typed for another job in the meantime.
    onSuccess: (_, sent) =>
      setForm((now) =>
        now.idempotencyKey === sent.idempotencyKey ? formOf({ ...EMPTY, kind: now.draft.kind }) : now,
      ),
  });
  useConfirmLeaving(hasInput({ draft }));
  const edit = (changed: JobDraft): void => setForm(formOf(changed));
  const { text } = inputsFor(draft, edit);
  const submit = (): void => {
    const drafted = newJobOf(draft);
    setProblem('problem' in drafted ? drafted.problem : null);
    if ('job' in drafted && !queue.isPending) queue.mutate({ job: drafted.job, idempotencyKey });
  };
  return (
    <details open={wasTyped}>
      <summary>Queue a job</summary>
      <Form className="fields" noValidate onSubmit={submit}>
        <fieldset className="actions">
          <legend>Action</legend>
          {(['change', 'task'] as const).map((kind) => (
            <Choice
              key={kind}
              type="radio"
              name="kind"
              label={KINDS[kind]}
              checked={draft.kind === kind}
              onChange={() => edit({ ...draft, kind })}
            />
          ))}
        </fieldset>
        {draft.kind === 'change' ? (
          <>
            <Select label="Enabled" options={Object.entries(ENABLED)} {...text('enabled')} />
            <TextField label="Name (leave empty to keep)" {...text('name')} />
            <TextArea label="Description (leave empty to keep)" rows={2} {...text('description')} />
          </>
        ) : (
          <>
            <TextField label="Task type, as registered by the plugin" {...text('type')} />
            <TextArea label="Payload (JSON)" rows={4} spellCheck={false} {...text('payload')} />
          </>
        )}
        {problem !== null && <p role="alert">{problem}</p>}
        <ErrorNote error={queue.error} />
        <p className="actions">
          <button type="submit" className="primary">
            {queue.isPending ? 'Queuing…' : 'Queue'}
          </button>
        </p>
      </Form>
    </details>
  );
}
