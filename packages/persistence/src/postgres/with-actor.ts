import type { Actor, Subject } from '@plugin-config/domain';

/** The columns of an actor in an entry of a history. */
export interface ActorColumns {
  readonly actorKeyId: number | null;
  readonly actorLabel: string;
  readonly actorSubject: Subject | null;
}

export function actorOf({
  actorKeyId: keyId,
  actorLabel: label,
  actorSubject: subject,
}: ActorColumns): Actor {
  return { keyId, label, ...(subject !== null && { subject }) };
}

export function actorColumns({ keyId, label, subject }: Actor): ActorColumns {
  return { actorKeyId: keyId, actorLabel: label, actorSubject: subject ?? null };
}

/** Combines the columns of an actor. */
export function withActor<Row extends ActorColumns>({ actorKeyId, actorLabel, actorSubject, ...row }: Row) {
  return { ...row, actor: actorOf({ actorKeyId, actorLabel, actorSubject }) };
}
