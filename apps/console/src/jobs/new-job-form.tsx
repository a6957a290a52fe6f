import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { recordsOf } from '../live/use-family.ts';
import { useDraftState } from '../session/use-draft-state.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { Form, inputsFor, TextArea, TextField } from '../ui/fields.tsx';
import { useChange } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { newJobOf } from './new-job.ts';

/** Each draft gets its own idempotency key: sending it twice queues one job. */
const draftOf = (type: string, payload: string) => ({ type, payload, idempotencyKey: crypto.randomUUID() });

type Draft = ReturnType<typeof draftOf>;

const hasInput = ({ type, payload }: Draft): boolean => type + payload !== '';

interface Properties {
  readonly at: RecordRef;
  /** The query key of the jobs to refetch. */
  readonly affects: QueryKey;
}

/** Gives the plugin a task. */
export function NewJobForm({ at, affects }: Properties) {
  const [draft, setDraft] = useDraftState(() => draftOf('', ''), hasInput);
  const [wasTyped] = useState(() => hasInput(draft));
  const queue = useChange(
    async ({ idempotencyKey, ...sent }: Draft) =>
      recordsOf(at).queueJob(at.id, newJobOf(sent), { idempotencyKey }),
    {
      affects,
      notice: 'The job was queued.',
      // Keeps what was typed for another job in the meantime.
      onSuccess: (_, sent) => setDraft((now) => (now === sent ? draftOf('', '') : now)),
    },
  );
  useConfirmLeaving(hasInput(draft));
  const { text } = inputsFor(draft, ({ type, payload }) => setDraft(draftOf(type, payload)));
  return (
    <details open={wasTyped}>
      <summary>Queue a job</summary>
      <Form className="fields" onSubmit={() => queue.isPending || queue.mutate(draft)}>
        <TextField label="Task type, as registered by the plugin" required {...text('type')} />
        <TextArea label="Payload (JSON)" className="code" rows={4} spellCheck={false} {...text('payload')} />
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
