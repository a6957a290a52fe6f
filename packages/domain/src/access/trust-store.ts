import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Powers } from './powers.ts';
import type { Trust, TrustDraft } from './trust.ts';

export interface NewTrust extends TrustDraft, Pick<Trust, 'createdAt' | 'expiresAt'> {
  /** The hash of no key, by which its tokens name the trust. */
  readonly hash: string;
  readonly accountId: number | null;
}

/** A live trust, as an exchange needs it. */
export interface ExchangedTrust extends Trust {
  readonly hash: string;
}

/** Trusts are stored as keys that nobody has: a token names either in the same way. */
export interface TrustStore {
  /**
   * Adds a trust and its audit entry, under the same conditions as a key.
   * @throws DomainError as `ApiKeyStore.add`
   */
  add(trust: NewTrust, author: Author): Promise<Trust>;
  /** Returns the trusts that these powers could create, oldest first. Deleted ones are gone. */
  list(page: PageRequest, powers: Powers | null): Promise<Page<Trust>>;
  /** Returns a trust for an exchange; null if there is none. */
  find(id: number): Promise<ExchangedTrust | null>;
  /**
   * Replaces what a trust says by what `decide` returns, gives it another hash, which ends its tokens, and adds an audit entry. Resolves
   * to null if there is none, or if these powers could not create it.
   */
  change(
    id: number,
    powers: Powers | null,
    hash: string,
    decide: (before: Trust) => TrustDraft,
    author: Author,
  ): Promise<Trust | null>;
  /** Deletes a trust, which ends its tokens, and adds an audit entry. Resolves to false like `change`. */
  remove(id: number, powers: Powers | null, author: Author): Promise<boolean>;
  /**
   * Records in one transaction, with an audit entry, that a token of an issuer was exchanged. Resolves to `repeated` if it was
   * exchanged before, and to `gone` if the trust has changed.
   */
  exchange(
    trust: Pick<ExchangedTrust, 'id' | 'name' | 'hash' | 'issuer'>,
    idToken: { readonly jti: string; readonly expiresAt: Date },
    author: Author,
  ): Promise<'exchanged' | 'repeated' | 'gone'>;
}
