import { AlertLink } from '../alerts/alert-link.tsx';

interface Properties {
  readonly actor: {
    readonly key_id: number | null;
    readonly label: string;
    readonly subject?: { readonly id: string; readonly name?: string | undefined } | undefined;
  };
  /** The project that was changed; absent if the change belongs to none. */
  readonly projectId?: number;
}

/** The label of an alert that made a change, as in "alert 3: Deliveries fail" or "alert 3 on all projects: …". */
const ALERT = /^alert (?<id>\d+)(?<ofAll> on all projects)?: /;

/**
 * Who made a change, and for whom. A key or trust may have any label, so the operator and alerts are recognized only without a key
 * and a subject.
 */
export function ActorName({ actor: { key_id: key, label, subject }, projectId }: Properties) {
  const isOfService = key === null && subject === undefined;
  if (isOfService && label === 'operator') {
    return (
      <strong className="operator badge accent" title="Run on the command line, without a key">
        Operator
      </strong>
    );
  }
  const alert = isOfService ? ALERT.exec(label)?.groups : undefined;
  const owner = alert?.['ofAll'] === undefined ? projectId : null;
  return (
    <strong title={key === null ? undefined : `Key ${key}`}>
      {alert === undefined || owner === undefined ? (
        <bdi>{label}</bdi>
      ) : (
        <AlertLink projectId={owner} id={Number(alert['id'])} label={label} />
      )}
      {subject !== undefined && (
        <>
          {' '}
          for <bdi title={subject.id}>{subject.name ?? subject.id}</bdi>
        </>
      )}
    </strong>
  );
}
