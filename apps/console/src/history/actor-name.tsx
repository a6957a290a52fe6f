import { Link } from 'wouter';
import { alertPath } from '../shell/addresses.ts';

interface Properties {
  readonly actor: { readonly key_id: number | null; readonly label: string };
  /** The project that was changed; absent if the change belongs to none. */
  readonly projectId?: number;
}

/** The label of an alert that made a change, as in "alert 3: Deliveries fail". */
const ALERT = /^alert (?<id>\d+): /;

/** Who made a change. A key may have any label, so the operator and alerts are recognized only without a key. */
export function ActorName({ actor: { key_id: key, label }, projectId }: Properties) {
  if (key === null && label === 'operator') {
    return (
      <strong className="operator badge accent" title="Run on the command line, without a key">
        Operator
      </strong>
    );
  }
  const name = <bdi>{label}</bdi>;
  const alert = key === null ? ALERT.exec(label)?.groups?.['id'] : undefined;
  return (
    <strong title={key === null ? undefined : `Key ${key}`}>
      {alert === undefined || projectId === undefined ? (
        name
      ) : (
        <Link href={alertPath(projectId, Number(alert))}>{name}</Link>
      )}
    </strong>
  );
}
