import type { ApiKey } from './api-key.ts';

export interface NewApiKey extends Pick<
  ApiKey,
  'label' | 'scopes' | 'projectIds' | 'createdAt' | 'expiresAt'
> {
  readonly hash: string;
}

export interface ApiKeyStore {
  /** @throws DomainError `does_not_exist` where it names a project that is not there */
  add(key: NewApiKey): Promise<ApiKey>;
  /** All of them, oldest first. */
  list(): Promise<readonly ApiKey[]>;
  /**
   * Holds from the next request on, in every process; revoked again, a key keeps its first time. Resolves to false
   * where there is no such key.
   */
  revoke(id: number, at: Date): Promise<boolean>;
  /** Remembers when keys were last used; an older time never replaces a newer one. */
  touch(uses: ReadonlyMap<number, Date>): Promise<void>;
}

/** One way: what a token is stored as. */
export interface TokenHasher {
  hash(token: string): string;
}
