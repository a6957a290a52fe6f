import type { Author } from '../kernel/author.ts';
import type { ApiKey } from './api-key.ts';
import type { Powers } from './powers.ts';

/** A user who signs in, and the rights of the role at that time. */
export interface SignedIn extends Pick<ApiKey, 'label' | 'scopes' | 'projectIds'> {
  readonly issuer: string;
  readonly subject: string;
  /** A hash that belongs to no key. Names a user who is not stored with the same rights yet. */
  readonly hash: string;
}

/** Identifies a sign-in, which can be completed once. */
export interface SignInOnce {
  readonly id: string;
  readonly expiresAt: Date;
}

/** Stores users as keys that nobody has, one for each issuer and subject, so sessions name users and keys in the same way. */
export interface UserStore {
  /**
   * Adds an audit entry, and resolves to the hash by which sessions name the user. The hash is new, and earlier sessions end, if the
   * name or the rights differ from those of the last sign-in, or if sessions were ended since. Resolves to null if this sign-in was
   * completed before.
   * @throws DomainError `does_not_exist` if a project does not exist
   */
  signIn(user: SignedIn, once: SignInOnce, author: Omit<Author, 'actor'>): Promise<string | null>;
  /** Ends the sessions of a user who has no rights any more, and adds an audit entry if there are any. */
  endOwn(user: Pick<SignedIn, 'issuer' | 'subject'>, author: Omit<Author, 'actor'>): Promise<void>;
  /**
   * Ends the sessions of a subject, or of all users if it is null, of those whose rights these powers could grant. Resolves to the
   * number of users, and adds an audit entry for each.
   */
  endSessions(subject: string | null, powers: Powers, author: Author): Promise<number>;
}
