import type { ApiKey } from './api-key.ts';

export interface NewApiKey extends Pick<
  ApiKey,
  'label' | 'scopes' | 'projectIds' | 'createdAt' | 'expiresAt'
> {
  readonly hash: string;
}

export interface ApiKeyStore {
  /** @throws DomainError `does_not_exist` if one of the projects does not exist */
  add(key: NewApiKey): Promise<ApiKey>;
  /** The keys, oldest first. */
  list(): Promise<readonly ApiKey[]>;
  /**
   * Revokes a key, effective from the next request on in every process. A key that is revoked again keeps its first
   * time. Resolves to false if there is no such key.
   */
  revoke(id: number, at: Date): Promise<boolean>;
  /** Stores when keys were last used. An older time never replaces a newer one. */
  touch(uses: ReadonlyMap<number, Date>): Promise<void>;
}

/** Computes the one-way hash under which a token is stored. */
export interface TokenHasher {
  hash(token: string): string;
}
