import { keylessActor, type Author, type Subject } from '../kernel/author.ts';
import { invalidInput } from '../kernel/domain-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Randomness } from '../kernel/randomness.ts';
import type { AddressRules } from '../webhook/check-webhook.ts';
import { earliest, type AccessToken } from './access-token.ts';
import { accountOfIssued, newToken, type KeyGrant } from './api-key.ts';
import type { TokenHasher } from './api-key-store.ts';
import { checkWithin, powersOf } from './powers.ts';
import {
  acceptClaims,
  checkTrust,
  rejected,
  type IdTokenVerifier,
  type Trust,
  type TrustDraft,
} from './trust.ts';
import type { TrustStore } from './trust-store.ts';

export interface TrustDependencies {
  readonly trusts: TrustStore;
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
  /** The addresses that issuers may have. */
  readonly issuerRules: AddressRules;
}

interface Change {
  readonly issuer: KeyGrant;
  readonly author: Author;
}

/** Creates a trust, which grants at most what the creating key grants, and ends no later. */
export function createTrust(
  { trusts, issuerRules, ...names }: TrustDependencies,
  request: TrustDraft,
  { issuer, author }: Change,
): Promise<Trust> {
  const draft = checkTrust(request, issuerRules);
  const { expiresAt } = issuer;
  checkWithin(powersOf(issuer), { ...draft, expiresAt });
  const accountId = accountOfIssued(issuer);
  return trusts.add(
    { ...draft, expiresAt, accountId, createdAt: author.at, hash: unusedHash(names) },
    author,
  );
}

/** Changes some fields of a trust, which ends its tokens. */
export function changeTrust(
  { trusts, issuerRules, ...names }: TrustDependencies,
  { id, change }: { readonly id: number; readonly change: Partial<TrustDraft> },
  { issuer, author }: Change,
): Promise<Trust | null> {
  const powers = powersOf(issuer);
  const decide = (before: Trust): TrustDraft => {
    const draft = checkTrust({ ...before, ...change }, issuerRules);
    checkWithin(powers, { ...draft, expiresAt: before.expiresAt });
    return draft;
  };
  return trusts.change(id, powers, unusedHash(names), decide, author);
}

/** Returns the hash of a token that nobody has. */
export function unusedHash({ hasher, randomness }: Pick<TrustDependencies, 'hasher' | 'randomness'>): string {
  return hasher.hash(newToken(randomness));
}

interface ExchangeDependencies {
  readonly trusts: Pick<TrustStore, 'find' | 'exchange'>;
  readonly idTokens: IdTokenVerifier;
  readonly clock: Clock;
}

export interface Exchange {
  readonly trustId: number | null;
  readonly idToken: string;
  readonly requestId: string;
}

/** Exchanges a token of an identity provider, once, for one that grants what the trust grants. */
export async function exchangeIdToken(
  { trusts, idTokens, clock }: ExchangeDependencies,
  { trustId, idToken, requestId }: Exchange,
): Promise<AccessToken> {
  const trust = trustId === null ? null : await trusts.find(trustId);
  const at = clock.now();
  if (trust === null || (trust.expiresAt !== null && trust.expiresAt <= at)) throw noSuchTrust();
  const claims = await idTokens.verify(idToken, trust.issuer);
  const { sub, ...accepted } = acceptClaims(trust, claims, at);
  const subject: Subject = { id: sub };
  const author = { actor: keylessActor({ id: trust.id, label: trust.name }, subject), requestId, at };
  const outcome = await trusts.exchange(trust, accepted, author);
  if (outcome === 'gone') throw noSuchTrust();
  if (outcome === 'repeated') throw rejected('It was exchanged before (jti).');
  const end = new Date(at.getTime() + trust.maxMinutes * 60_000);
  return {
    keyHash: trust.hash,
    scopes: trust.scopes,
    projectIds: [],
    pluginIds: [],
    subject,
    expiresAt: earliest(end, trust.expiresAt),
  };
}

function noSuchTrust() {
  return invalidInput('trust', 'There is no such trust.');
}
