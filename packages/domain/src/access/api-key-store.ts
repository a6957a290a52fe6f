import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Powers } from './powers.ts';
import type { ApiKey } from './api-key.ts';

export interface NewApiKey extends Pick<
  ApiKey,
  'label' | 'scopes' | 'projectIds' | 'pluginIds' | 'createdAt' | 'expiresAt'
> {
  readonly hash: string;
  /** Null for the account of the keys that are bound to exactly the same projects; without any, the key starts an account. */
  readonly accountId: number | null;
}

export const KEY_PAGE_MAX_PROJECTS = 10_000;

export interface ApiKeyStore {
  /**
   * Adds a key and its audit entry. A revoked key can add no further keys, even in concurrent requests.
   * @throws DomainError `authentication_failed` if the author's key is revoked
   * @throws DomainError `does_not_exist` if the account or one of the projects does not exist
   * @throws DomainError `throttled` if the account has `ACCOUNT_KEYS_MAX` live keys
   */
  add(key: NewApiKey, author: Author): Promise<ApiKey>;
  find(id: number): Promise<ApiKey | null>;
  /**
   * Returns the keys that these powers could issue, oldest first; null powers (the operator) see all keys. A page ends
   * early before its keys are bound to more than `KEY_PAGE_MAX_PROJECTS` projects in total.
   */
  list(page: PageRequest, powers: Powers | null): Promise<Page<ApiKey>>;
  /**
   * Revokes a key and adds an audit entry. Takes effect in every process from the next request on. Revoking a key again
   * changes nothing. Resolves to false if there is no such key, or if these powers could not issue it.
   */
  revoke(id: number, powers: Powers | null, author: Author): Promise<boolean>;
  /** Stores when keys were last used. Never replaces a newer time, and ignores uses after the revocation. */
  touch(uses: ReadonlyMap<number, Date>): Promise<void>;
}

/** Computes the one-way hash to store instead of a token. */
export interface TokenHasher {
  hash(token: string): string;
}
