import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useDraftState } from '../session/use-draft-state.ts';
import { service } from '../shell/service.ts';
import { useConfirmLeaving } from '../ui/confirm-leaving.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { QueryResult } from '../ui/query-result.tsx';
import { Title } from '../ui/title.tsx';
import { documentsKey } from './documents-key.ts';
import { ManagedRecords } from './managed-records.tsx';
import { PlanForm } from './plan-form.tsx';
import { managersOf } from './plan-text.ts';
import './documents.css';

const LIMIT = 1000;

interface TypedDocument {
  readonly text: string;
  /** The text at the start, or as applied last. */
  readonly untouched: string;
  /** Incremented for each document that is started, to remount the form. */
  readonly count: number;
}

const BLANK: TypedDocument = { text: '', untouched: '', count: 0 };

const isEdited = ({ text, untouched }: TypedDocument): boolean => text !== untouched && text !== '';

/** The managers of a project, manual edits since their last apply, and a form to plan and apply a document. */
export function Documents({ projectId }: { readonly projectId: number }) {
  const [search] = useSearchParams();
  const manager = search.get('manager');
  const [document, setDocument] = useDraftState(() => BLANK, isEdited);
  /** A document that would replace the typed one, once the user confirms. */
  const [replacement, setReplacement] = useState<string | null>(null);
  useConfirmLeaving(isEdited(document));
  const startDocument = (text: string): void => {
    setDocument(({ count }) => ({ text, untouched: text, count: count + 1 }));
    setReplacement(null);
  };
  const managers = useQuery({
    queryKey: documentsKey(projectId),
    queryFn: async ({ signal }) =>
      managersOf(
        await Array.fromAsync(service.project(projectId).configuration.records({ limit: LIMIT }, { signal })),
      ),
  });
  return (
    <>
      <Title>Documents</Title>
      <h1>Documents</h1>
      <QueryResult query={managers} what="managers">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No records are managed by a document">
              <p>
                Plan one below, or start from an existing record:{' '}
                <code>
                  npm run cli -- config adopt plugin_configs/1=key --project {projectId} --manager team
                </code>
                , then{' '}
                <code>
                  npm run cli -- config export --project {projectId} --manager team &gt; config.yaml
                </code>
              </p>
            </Empty>
          ) : (
            <nav aria-label="Managers" className="tabs">
              {all.map(({ name, count }) => (
                <Link
                  key={name}
                  href={`/projects/${projectId}/documents?manager=${encodeURIComponent(name)}`}
                  aria-current={name === manager ? 'page' : undefined}
                >
                  {name} ({count})
                </Link>
              ))}
            </nav>
          )
        }
      </QueryResult>
      {manager !== null && (
        <ManagedRecords
          key={manager}
          projectId={projectId}
          manager={manager}
          onEdit={isEdited(document) ? setReplacement : startDocument}
        />
      )}
      <PlanForm
        key={document.count}
        projectId={projectId}
        text={document.text}
        onType={(text) => setDocument((now) => ({ ...now, text }))}
        onApplied={() => setDocument((now) => ({ ...now, untouched: now.text }))}
      />
      {replacement !== null && (
        <FormDialog
          title="Replace your changes?"
          submitLabel="Replace"
          isDanger
          onSubmit={() => startDocument(replacement)}
          onClose={() => setReplacement(null)}
        >
          <p>You changed the document but did not apply it. Those changes will be lost.</p>
        </FormDialog>
      )}
    </>
  );
}
