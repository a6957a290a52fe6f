/** For whom a short-lived token acts, by the id that its issuer's product uses. */
export interface Subject {
  readonly id: string;
  readonly name?: string;
  /** True for a user or a token of a trust. Nobody has their key: it is not shown. */
  readonly hasNoKey?: boolean;
}

export interface Actor {
  /** Null for an operator command. */
  readonly keyId: number | null;
  readonly label: string;
  /** Absent unless a token with a subject was used. */
  readonly subject?: Subject | undefined;
}

/** The key of a request that takes effect once, even if it is sent several times. */
export interface RequestKey {
  /** A digest of the API key, the project, the path and the caller's key. */
  readonly name: string;
  /** A digest of the raw body, keyed with the caller's key. */
  readonly digest: string;
  /**
   * Called before the response to an earlier request with this name is returned, with the digest of that request.
   * @throws DomainError if that request had another body
   */
  readonly repeat: (digest: string) => void;
}

/** Who made a change, when, and in which request. */
export interface Author {
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The apply that the change belongs to; absent if it belongs to none. */
  readonly applyId?: string;
  readonly at: Date;
  /** Absent if the request takes effect each time. */
  readonly once?: RequestKey | undefined;
}

/** Returns the actor of changes by a trust or a user, whose key nobody has. */
export function keylessActor({ id: keyId, label }: { id: number; label: string }, subject: Subject): Actor {
  return { keyId, label, subject: { ...subject, hasNoKey: true } };
}

export const OPERATOR: Actor = { keyId: null, label: 'operator' };
