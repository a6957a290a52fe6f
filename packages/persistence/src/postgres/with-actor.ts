import type { Actor, Subject } from '@plugin-config/domain';

export interface ActorColumns {
  readonly actorKeyId: number | null;
  readonly actorLabel: string;
  readonly actorSubject: Subject | null;
}

/** Returns the actor as it is shown. Nobody has the key of a trust or a user, so it is left out. */
export function actorOf({ actorKeyId, actorLabel: label, actorSubject }: ActorColumns): Actor {
  if (actorSubject === null) return { keyId: actorKeyId, label };
  const { hasNoKey = false, ...subject } = actorSubject;
  return { keyId: hasNoKey ? null : actorKeyId, label, subject };
}

export function actorColumns({ keyId, label, subject }: Actor): ActorColumns {
  return { actorKeyId: keyId, actorLabel: label, actorSubject: subject ?? null };
}

export function withActor<Row extends ActorColumns>({ actorKeyId, actorLabel, actorSubject, ...row }: Row) {
  return { ...row, actor: actorOf({ actorKeyId, actorLabel, actorSubject }) };
}
