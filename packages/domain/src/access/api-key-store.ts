import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Powers } from './powers.ts';
import type { ApiKey } from './api-key.ts';

export interface NewApiKey extends Pick<
  ApiKey,
  'label' | 'scopes' | 'projectIds' | 'createdAt' | 'expiresAt'
> {
  readonly hash: string;
  /** Null if the key starts an account. */
  readonly accountId: number | null;
}

export const KEY_PAGE_MAX_PROJECTS = 10_000;

export interface ApiKeyStore {
  /**
   * Adds a key, and its entry in the audit log. Once the author's key is revoked, no key of its is added any more.
   * @throws DomainError `authentication_failed` if the author's key is revoked
   * @throws DomainError `does_not_exist` if one of the projects does not exist
   * @throws DomainError `throttled` if the account has `ACCOUNT_KEYS_MAX` live keys
   */
  add(key: NewApiKey, author: Author): Promise<ApiKey>;
  find(id: number): Promise<ApiKey | null>;
  /**
   * The keys that somebody with these powers could have made, oldest first. Null stands for the operator, who sees all. A page
   * ends early before its keys are bound to more than `KEY_PAGE_MAX_PROJECTS` projects together.
   */
  list(page: PageRequest, powers: Powers | null): Promise<Page<ApiKey>>;
  /**
   * Revokes a key, effective from the next request on in every process, and adds an entry to the audit log. A key that
   * is revoked again keeps its first time, and gets no second entry. Resolves to false if there is no such key, or none that
   * somebody with these powers could have made.
   */
  revoke(id: number, powers: Powers | null, author: Author): Promise<boolean>;
  /** Stores when keys were last used. An older time never replaces a newer one, and a use after the revocation is none. */
  touch(uses: ReadonlyMap<number, Date>): Promise<void>;
}

/** Computes the one-way hash under which a token is stored. */
export interface TokenHasher {
  hash(token: string): string;
}
