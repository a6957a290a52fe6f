import type { EditedRecord, OwnedRecord } from '@plugin-config/client';
import { useIsMutating } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Link } from 'wouter';
import { ActorName } from '../history/actor-name.tsx';
import { FAMILIES, recordPath } from '../shell/addresses.ts';
import { service } from '../shell/service.ts';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { CopyButton, Time } from '../ui/texts.tsx';

/** The key prefix of queries and mutations of a project's documents. */
export const documentsKey = (projectId: number) => ['documents', projectId] as const;

interface Properties {
  readonly projectId: number;
  readonly manager: string;
  readonly owned: readonly OwnedRecord[];
  /** Called with the manager's document to edit it. */
  readonly onEdit: (text: string) => void;
}

/** A manager's records, manual edits of them since its last apply, and its current document. */
export function ManagedRecords({ projectId, manager, owned, onEdit }: Properties) {
  const query = useRead([...documentsKey(projectId), manager], async (options) => {
    const { configuration } = service.project(projectId);
    const [drift, { warnings = [], ...document }] = await Promise.all([
      configuration.drift({ manager }, options),
      configuration.export({ manager }, options),
    ]);
    return { drift, warnings, text: JSON.stringify(document, null, 2) };
  });
  const isBusy = useIsMutating({ mutationKey: documentsKey(projectId) }) > 0;
  return (
    <QueryResult query={query} what="managed records">
      {({ drift, warnings, text }) => (
        <section className="panel stack" aria-label={manager}>
          {drift.length === 0 ? (
            <p className="with-icon">
              <CircleCheck className="good" />
              No records were edited by hand since the last apply.
            </p>
          ) : (
            <>
              <h2>Edited by hand since the last apply</h2>
              <EditedRecords projectId={projectId} records={drift} />
            </>
          )}
          {owned.length > 0 && (
            <details>
              <summary>{owned.length === 1 ? '1 record' : `${owned.length} records`}</summary>
              <ul className="rows">
                {owned.map(({ family, id, key }) => (
                  <li key={`${family} ${id}`}>
                    <Link href={recordPath({ projectId, family, id })}>{key}</Link>
                    <span className="hint">{FAMILIES[family]}</span>
                  </li>
                ))}
              </ul>
            </details>
          )}
          <details>
            <summary>Current document</summary>
            {warnings.map(({ attr, detail }) => (
              <p key={attr}>
                <code>{attr}</code>: {detail}
              </p>
            ))}
            <p className="actions">
              <CopyButton text={text} what="document" />
              <button type="button" className="small" disabled={isBusy} onClick={() => onEdit(text)}>
                Edit in plan
              </button>
            </p>
            <pre className="box">{text}</pre>
          </details>
        </section>
      )}
    </QueryResult>
  );
}

interface EditedProperties {
  readonly projectId: number;
  readonly records: readonly EditedRecord[];
}

/** Records that someone changed, with their changed fields. */
export function EditedRecords({ projectId, records }: EditedProperties) {
  return (
    <ul className="rows">
      {records.map(({ family, id, key, fields, actor, at }) => (
        <li key={`${family} ${id}`}>
          <span>
            <Link href={recordPath({ projectId, family, id })}>{key ?? `Record ${id}`}</Link>:{' '}
            {fields.join(', ')} {actor !== null && 'by '}
            {actor !== null && <ActorName actor={actor} projectId={projectId} />}
          </span>
          {at !== null && <Time at={at} />}
        </li>
      ))}
    </ul>
  );
}
