import type { NewJob } from '@plugin-config/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { recordsOf } from '../live/use-family.ts';
import { useTyped } from '../session/use-typed.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useAskBeforeLeaving } from '../ui/ask-before-leaving.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Choice, Form, Select, TextArea, TextField } from '../ui/fields.tsx';
import { useNotify } from '../ui/notices.tsx';
import { newJobOf, type JobDraft } from './new-job.ts';

const EMPTY: JobDraft = { kind: 'change', enabled: '', name: '', description: '', type: '', payload: '' };

const KINDS = [
  ['change', 'changes the record'],
  ['task', 'gives the plugin a task'],
] as const;
const ENABLED = [
  ['', 'as it is'],
  ['true', 'yes'],
  ['false', 'no'],
] as const;

interface Sent {
  readonly job: NewJob;
  readonly idempotencyKey: string;
}

/** What was typed, under a key of its own: sent again as it is, it becomes no second job. */
const formOf = (draft: JobDraft) => ({ draft, idempotencyKey: crypto.randomUUID() });

const isTyped = ({ draft }: { readonly draft: JobDraft }): boolean =>
  Object.entries(draft).some(([name, text]) => name !== 'kind' && text !== '');

interface Properties {
  readonly at: RecordRef;
  readonly onQueued: () => Promise<void>;
}

/** Queues a change of the record, or a task for its plugin. */
export function NewJobForm({ at, onQueued }: Properties) {
  const notify = useNotify();
  const [{ draft, idempotencyKey }, setForm] = useTyped(() => formOf(EMPTY), isTyped);
  const [wasTyped] = useState(() => isTyped({ draft }));
  const [problem, setProblem] = useState<string | null>(null);
  const queue = useMutation({
    mutationFn: async ({ job, idempotencyKey: own }: Sent) =>
      recordsOf(at).queueJob(at.id, job, { idempotencyKey: own }),
    onSuccess: async (_, sent) => {
      // What was typed for another job meanwhile stays.
      setForm((now) =>
        now.idempotencyKey === sent.idempotencyKey ? formOf({ ...EMPTY, kind: now.draft.kind }) : now,
      );
      notify('The job was queued.');
      await onQueued();
    },
  });
  useAskBeforeLeaving(isTyped({ draft }));
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
          <legend>The job</legend>
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
              label="Name (empty: as it is)"
              value={draft.name}
              onChange={(name) => edit({ name })}
            />
            <TextArea
              label="Description (empty: as it is)"
              rows={2}
              value={draft.description}
              onChange={(description) => edit({ description })}
            />
          </>
        ) : (
          <>
            <TextField
              label="Type, which the handler of the plugin knows"
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
            {queue.isPending ? 'Queuing …' : 'Queue'}
          </button>
        </p>
      </Form>
    </details>
  );
}
