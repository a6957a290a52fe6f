export interface Actor {
  /** Null for an operator command. */
  readonly keyId: number | null;
  readonly label: string;
}

/** Who made a change, when, and in which request. */
export interface Author {
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The apply that the change belongs to; absent if it belongs to none. */
  readonly applyId?: string;
  readonly at: Date;
}

/** The actor of operator commands. */
export const OPERATOR: Actor = { keyId: null, label: 'operator' };
