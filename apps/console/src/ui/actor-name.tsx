import './actor-name.css';

interface Properties {
  readonly actor: { readonly key_id: number | null; readonly label: string };
}

/** Who made a change. A key may have any label, so the operator is marked by its style, not by its name. */
export function ActorName({ actor: { key_id: key, label } }: Properties) {
  if (key === null && label === 'operator') {
    return (
      <strong className="operator" title="Run on the command line, without a key">
        Operator
      </strong>
    );
  }
  return (
    <strong title={key === null ? undefined : `Key ${key}`}>
      <bdi>{label}</bdi>
    </strong>
  );
}
