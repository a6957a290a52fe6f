import type { Actor } from '@plugin-config/domain';

interface ActorColumns {
  readonly actorKeyId: Actor['keyId'];
  readonly actorLabel: Actor['label'];
}

/** Combines the columns of an actor. */
export function withActor<Row extends ActorColumns>({ actorKeyId: keyId, actorLabel: label, ...row }: Row) {
  return { ...row, actor: { keyId, label } };
}
