import './actor-name.css';

interface Properties {
  readonly actor: { readonly key_id: number | null; readonly label: string };
}

/** Who made a change. A key may be called whatever it likes: only the operator of the service has the mark. */
export function ActorName({ actor: { key_id: key, label } }: Properties) {
  if (key === null && label === 'operator') {
    return (
      <strong className="operator" title="A command of the operator, without a key">
        The operator
      </strong>
    );
  }
  return (
    <strong title={key === null ? undefined : `Key ${key}`}>
      <bdi>{label}</bdi>
    </strong>
  );
}
