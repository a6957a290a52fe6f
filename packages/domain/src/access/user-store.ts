import type { Author } from '../kernel/author.ts';
import type { ApiKey } from './api-key.ts';
import type { Powers } from './powers.ts';

/** A user who signs in, and the rights of the role at that time. */
export interface SignedIn extends Pick<ApiKey, 'label' | 'scopes' | 'projectIds'> {
  readonly issuer: string;
  readonly subject: string;
  /** The hash of no key, by which the sessions name the user unless there are others. */
  readonly hash: string;
}

/** Identifies a sign-in, which can be completed once. */
export interface SignInOnce {
  readonly id: string;
  readonly expiresAt: Date;
}

/** Users are stored as keys that nobody has, one for each issuer and subject: a session names either in the same way. */
export interface UserStore {
  /**
   * Resolves to the hash by which the sessions of the user name it, after adding an audit entry. With another name or
   * other rights than at the last sign-in, or after sessions were ended, it is another hash, and earlier sessions end. Resolves to null if this sign-in was completed
   * before.
   * @throws DomainError `does_not_exist` if a project does not exist
   */
  signIn(user: SignedIn, once: SignInOnce, author: Omit<Author, 'actor'>): Promise<string | null>;
  /**
   * Ends the sessions of a subject, or of all users if it is null, as far as these powers could grant their rights. Resolves to the
   * number of users, and adds an audit entry for each.
   */
  endSessions(subject: string | null, powers: Powers, author: Author): Promise<number>;
}
