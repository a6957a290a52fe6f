export interface Actor {
  /** Null for a command of the operator. */
  readonly keyId: number | null;
  readonly label: string;
}

/** The actor of a change, its time and its request. */
export interface Author {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly at: Date;
}

/**
 * Moves the time forward to `moment` if it is earlier. Requests are not stored in the order of their arrival, but the
 * times of a history must not decrease.
 */
export function notBefore(author: Author, moment: Date): Author {
  return author.at < moment ? { ...author, at: moment } : author;
}

/** The actor of a command. */
export const OPERATOR: Actor = { keyId: null, label: 'operator' };
