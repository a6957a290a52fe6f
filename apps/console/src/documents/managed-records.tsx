import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { recordPath } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Loading } from '../ui/loading.tsx';
import { Time } from '../ui/time.tsx';
import { documentsKey } from './documents-key.ts';

interface Properties {
  readonly projectId: number;
  readonly manager: string;
  /** Called with the manager's document to edit it. */
  readonly onEdit: (text: string) => void;
}

/** Manual edits of a manager's records since its last apply, and its current document. */
export function ManagedRecords({ projectId, manager, onEdit }: Properties) {
  const { configuration } = service.project(projectId);
  const { data, error, refetch } = useQuery({
    queryKey: [...documentsKey(projectId), manager],
    queryFn: async ({ signal }) => {
      const [drift, { warnings = [], ...document }] = await Promise.all([
        configuration.drift(manager, { signal }),
        configuration.export(manager, { signal }),
      ]);
      return { drift, warnings, text: JSON.stringify(document, null, 2) };
    },
  });
  const isBusy = useIsMutating({ mutationKey: documentsKey(projectId) }) > 0;
  if (error !== null) return <ErrorNote error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="managed records" />;
  return (
    <section aria-label={manager}>
      {data.drift.length === 0 ? (
        <p>No records were edited by hand since the last apply.</p>
      ) : (
        <>
          <h2>Edited by hand since the last apply</h2>
          <ul className="rows">
            {data.drift.map(({ family, id, key, fields, actor, at }) => (
              <li key={`${family} ${id}`}>
                <span>
                  <Link href={recordPath({ projectId, family, id })}>{key ?? `Record ${id}`}</Link>{' '}
                  {fields.join(', ')}
                </span>
                <span className="hint">
                  {actor !== null && <ActorName actor={actor} />}
                  {at !== null && (
                    <>
                      {' '}
                      <Time at={at} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <details className="document">
        <summary>Current document</summary>
        {data.warnings.map(({ attr, detail }) => (
          <p key={attr}>
            <code>{attr}</code>: {detail}
          </p>
        ))}
        <p className="actions">
          <CopyButton text={data.text} what="document" />
          <button type="button" className="small" disabled={isBusy} onClick={() => onEdit(data.text)}>
            Edit in plan
          </button>
        </p>
        <pre>{data.text}</pre>
      </details>
    </section>
  );
}
