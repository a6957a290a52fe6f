import { PluginConfigError, type Document, type Plan } from '@plugin-config/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Link } from 'wouter';
import { useMayWrite } from '../session/session.ts';
import { FAMILIES, managerPath } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { Form, TextArea, TextField } from '../ui/fields.tsx';
import { Panel } from '../ui/panel.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { documentsKey, EditedRecords } from './managed-records.tsx';
import { ACTIONS, appliedText, documentOf, fieldText, summaryText } from './plan-text.ts';

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
  const mayWrite = useMayWrite();
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
    mutationFn: async ({ document, plan: { base, summary } }: Planned) =>
      configuration.apply({ document, base, max_deletes: summary.delete }),
    onSuccess: async () => {
      plan.reset();
      onApplied();
      await queries.invalidateQueries({ queryKey: mutationKey });
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
    <Panel title="Plan a document">
      <Form className="fields" onSubmit={() => isBusy || plan.mutate()}>
        <TextArea
          label={
            <>
              Document (JSON){' '}
              <span className="hint">
                Secret references keep their stored values; use the CLI to set new ones.
              </span>
            </>
          }
          className="code"
          rows={10}
          value={text}
          readOnly={isBusy}
          required
          spellCheck={false}
          placeholder='{"format": 1, "manager": "checkout-team", "plugin_configs": []}'
          onChange={change}
        />
        <p className="actions">
          <button type="submit" aria-disabled={isBusy}>
            {plan.isPending ? 'Planning…' : 'Plan'}
          </button>
        </p>
      </Form>
      {apply.data !== undefined && (
        <div role="status">
          <p>
            <strong>{appliedText(apply.data)}</strong> The document above is now in effect.{' '}
            <Link href={managerPath(projectId, apply.variables.document.manager)}>
              See all records of {apply.variables.document.manager}
            </Link>
          </p>
          <button type="button" onClick={() => change('')}>
            Start another document
          </button>
        </div>
      )}
      <ErrorNote error={plan.error} />
      {planned !== undefined && (
        <>
          <PlannedChanges plan={planned.plan} />
          {mayWrite && planned.plan.changes.length > 0 && (
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
          <Rejected error={apply.error} projectId={projectId} />
        </>
      )}
    </Panel>
  );
}

/** Why an apply was rejected, and what changed since the plan. */
function Rejected({ error, projectId }: { readonly error: Error | null; readonly projectId: number }) {
  const changed = error instanceof PluginConfigError ? error.changed : [];
  return (
    <>
      <ErrorNote error={error} />
      {changed.length > 0 && (
        <>
          <p>Nothing was applied. These records changed since the plan, so plan again:</p>
          <EditedRecords projectId={projectId} records={changed} />
        </>
      )}
    </>
  );
}

function PlannedChanges({ plan }: { readonly plan: Plan }) {
  const { changes, conflicts, warnings } = plan;
  return (
    <div role="status">
      <p>
        <strong>{summaryText(plan)}</strong>
      </p>
      <ul className="planned">
        {changes.map(({ action, family, key, fields }) => (
          <li key={`${family} ${key} ${action}`} className={action}>
            <strong>{ACTIONS[action][0]}</strong> {key} <span className="hint">({FAMILIES[family]})</span>
            {fields.length > 0 && (
              <dl className="facts">
                {fields.map((field) => (
                  <Fragment key={field.field}>
                    <dt>{field.field}</dt>
                    <dd>{fieldText(field, action)}</dd>
                  </Fragment>
                ))}
              </dl>
            )}
          </li>
        ))}
      </ul>
      {conflicts.map(({ family, key }) => (
        <p key={`${family} ${key}`}>
          {key} would be deleted but is protected by <code>prevent_destroy</code>. This plan cannot be
          applied.
        </p>
      ))}
      {warnings.map(({ attr, detail }) => (
        <p key={`${attr} ${detail}`}>
          <code>{attr}</code>: {detail}
        </p>
      ))}
    </div>
  );
}
