import type { NewJob } from '@plugin-config/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { recordsOf } from '../live/use-family.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Choice, Form, Select, TextArea, TextField } from '../ui/fields.tsx';
import { useNotify } from '../ui/notices.tsx';
import { newJobOf, type JobDraft } from './new-job.ts';

const EMPTY: JobDraft = { kind: 'change', enabled: '', name: '', description: '', type: '', payload: '' };

const KINDS = [
  ['change', 'Change the record'],
  ['task', 'Give the plugin a task'],
] as const;
const ENABLED = [
  ['', 'No change'],
  ['true', 'Yes'],
  ['false', 'No'],
] as const;

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
  readonly onQueued: () => Promise<void>;
}

export function NewJobForm({ at, onQueued }: Properties) {
  const notify = useNotify();
  const [{ draft, idempotencyKey }, setForm] = useDraftState(() => formOf(EMPTY), hasInput);
  const [wasTyped] = useState(() => hasInput({ draft }));
  const [problem, setProblem] = useState<string | null>(null);
  const queue = useMutation({
    mutationFn: async ({ job, idempotencyKey: own }: Sent) =>
      recordsOf(at).queueJob(at.id, job, { idempotencyKey: own }),
    onSuccess: async (_, sent) => {
      // Keeps what was typed for another job in the meantime.
      setForm((now) =>
        now.idempotencyKey === sent.idempotencyKey ? formOf({ ...EMPTY, kind: now.draft.kind }) : now,
      );
      notify('The job was queued.');
      await onQueued();
    },
  });
  useConfirmLeaving(hasInput({ draft }));
  const edit = (change: Partial<JobDraft>): void => setForm(formOf({ ...draft, ...change }));
  const submit = (): void => {
    const drafted = newJobOf(draft);
    setProblem('problem' in drafted ? drafted.problem : null);
    if ('job' in drafted && !queue.isPending) queue.mutate({ job: drafted.job, idempotencyKey });
  };
  return (
    <details className="new-job" open={wasTyped}>
      <summary>Queue a job</summary>
      <Form noValidate onSubmit={submit}>
        <fieldset>
          <legend>Action</legend>
          {KINDS.map(([kind, label]) => (
            <Choice
              key={kind}
              type="radio"
              name="kind"
              label={label}
              checked={draft.kind === kind}
              onChange={() => edit({ kind })}
            />
          ))}
        </fieldset>
        {draft.kind === 'change' ? (
          <>
            <Select
              label="Enabled"
              value={draft.enabled}
              options={ENABLED}
              onChange={(enabled) => edit({ enabled: enabled as JobDraft['enabled'] })}
            />
            <TextField
              label="Name (leave empty to keep)"
              value={draft.name}
              onChange={(name) => edit({ name })}
            />
            <TextArea
              label="Description (leave empty to keep)"
              rows={2}
              value={draft.description}
              onChange={(description) => edit({ description })}
            />
          </>
        ) : (
          <>
            <TextField
              label="Task type, as registered by the plugin"
              value={draft.type}
              onChange={(type) => edit({ type })}
            />
            <TextArea
              label="Payload (JSON)"
              rows={4}
              spellCheck={false}
              value={draft.payload}
              onChange={(payload) => edit({ payload })}
            />
          </>
        )}
        {problem !== null && <p role="alert">{problem}</p>}
        {queue.error !== null && <ErrorNote error={queue.error} />}
        <p className="actions">
          <button type="submit" className="primary">
            {queue.isPending ? 'Queuing…' : 'Queue'}
          </button>
        </p>
      </Form>
    </details>
  );
}
