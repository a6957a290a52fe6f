import { PluginConfigError, type Document, type Plan } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { may } from '../session/may.ts';
import { useKey } from '../session/session.ts';
import { service } from '../shell/service.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Form, TextArea, TextField } from '../ui/fields.tsx';
import { documentsKey } from './documents-key.ts';
import { appliedText, documentOf } from './plan-text.ts';
import { PlannedChanges } from './planned-changes.tsx';

interface Planned {
  readonly document: Document;
  readonly plan: Plan;
}

interface Properties {
  readonly projectId: number;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onApplied: () => void;
}

export function PlanForm({ projectId, text, onType, onApplied }: Properties) {
  const { configuration } = service.project(projectId);
  const isAllowed = may(useKey(), 'plugin:write');
  const queries = useQueryClient();
  const [deletions, setDeletions] = useState('');
  const mutationKey = documentsKey(projectId);
  const plan = useMutation({
    mutationKey,
    mutationFn: async (): Promise<Planned> => {
      const document = documentOf(text);
      return { document, plan: await configuration.plan({ document }) };
    },
    onMutate: () => {
      setDeletions('');
      apply.reset();
    },
  });
  const apply = useMutation({
    mutationKey,
    mutationFn: async ({ document, plan: { base, digest, summary } }: Planned) =>
      configuration.apply({ document, base, digest, max_deletes: summary.delete }),
    onSuccess: async () => {
      plan.reset();
      onApplied();
      await queries.invalidateQueries({ queryKey: documentsKey(projectId) });
    },
  });
  const isBusy = plan.isPending || apply.isPending;
  /** Editing the text invalidates earlier results. */
  const change = (changed: string): void => {
    onType(changed);
    plan.reset();
    apply.reset();
  };
  const planned = plan.data;
  const deleted = planned?.plan.summary.delete ?? 0;
  const isConfirmed = deleted === 0 || deletions.trim() === String(deleted);
  return (
    <section className="plan">
      <h2>Plan a document</h2>
      <Form onSubmit={() => plan.mutate()}>
        <TextArea
          label="Document (JSON). Secret references keep their stored values; use the CLI to set new ones."
          rows={10}
          value={text}
          readOnly={isBusy}
          required
          spellCheck={false}
          placeholder='{"format": 1, "manager": "checkout-team", "plugin_configs": []}'
          onChange={change}
        />
        <p className="actions">
          <button type="submit" disabled={isBusy}>
            {plan.isPending ? 'Planning…' : 'Plan'}
          </button>
        </p>
      </Form>
      {apply.data !== undefined && (
        <div role="status">
          <p>
            <strong>{appliedText(apply.data)}</strong> The document above is now in effect.{' '}
            <Link
              href={`/projects/${projectId}/documents?manager=${encodeURIComponent(apply.variables.document.manager)}`}
            >
              See all records of {apply.variables.document.manager}
            </Link>
          </p>
          <button type="button" onClick={() => change('')}>
            Start another document
          </button>
        </div>
      )}
      {plan.error !== null && <ErrorNote error={plan.error} />}
      {planned !== undefined && (
        <>
          <PlannedChanges plan={planned.plan} />
          {isAllowed && planned.plan.changes.length > 0 && (
            <p className="actions">
              {deleted > 0 && (
                <TextField
                  label={`This deletes ${deleted} ${deleted === 1 ? 'record' : 'records'}. Type ${deleted} to confirm`}
                  inputMode="numeric"
                  value={deletions}
                  onChange={setDeletions}
                />
              )}
              <button
                type="button"
                className="primary"
                disabled={!isConfirmed || isBusy}
                onClick={() => apply.mutate(planned)}
              >
                {apply.isPending ? 'Applying…' : 'Apply'}
              </button>
            </p>
          )}
          {apply.error !== null && <Rejected error={apply.error} />}
        </>
      )}
    </section>
  );
}

/** Why an apply was rejected, and what changed since the plan. */
function Rejected({ error }: { readonly error: Error }) {
  const changed = error instanceof PluginConfigError ? error.changed : [];
  return (
    <>
      <ErrorNote error={error} />
      {changed.length > 0 && (
        <>
          <p>Nothing was applied. These records changed since the plan, so plan again:</p>
          <ul>
            {changed.map(({ family, id, key, fields, actor }) => (
              <li key={`${family} ${id}`}>
                {key ?? `record ${id}`}: {fields.join(', ')}{' '}
                {actor !== null && (
                  <>
                    by <ActorName actor={actor} />
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
