export interface Actor {
  /** Null for a command of the operator. */
  readonly keyId: number | null;
  readonly label: string;
}

/** The actor of a change, its time and its request. */
export interface Author {
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The apply of a declaration that the change is a part of; absent if it is none. */
  readonly applyId?: string;
  readonly at: Date;
}

/** The actor of a command. */
export const OPERATOR: Actor = { keyId: null, label: 'operator' };
