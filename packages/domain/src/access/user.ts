import type { Clock } from '../kernel/clock.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Randomness } from '../kernel/randomness.ts';
import { codePoints, isLabel, isStorable } from '../kernel/text.ts';
import { NO_PROJECT, projectIdsOf, type ProjectLookup } from '../project/project-ref.ts';
import { LABEL_MAX, USER_SUBJECT_MAX, type Scope } from '../vocabulary/vocabulary.ts';
import type { TokenHasher } from './api-key-store.ts';
import { unusedHash } from './manage-trusts.ts';
import type { Session } from './session.ts';
import type { IdClaims } from './trust.ts';
import type { SignInOnce, UserStore } from './user-store.ts';

/** The rights of users whose claim has a value. */
export interface UserRole {
  readonly value: string;
  readonly scopes: readonly Scope[];
  /** Ids, or `ext:` and the external id; null means all. */
  readonly projectIds: readonly (number | string)[] | null;
}

/** The claim that says what users may do, and the roles by its values. The first role that matches applies. */
export interface RoleRules {
  readonly claim: string;
  readonly roles: readonly UserRole[];
}

/** A sign-in that has begun. The browser keeps it, encrypted, until the provider sends the user back. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The page of the console to continue with, below `/console`. */
  readonly page: string;
  readonly begunAt: Date;
}

/** Encrypts sign-ins, so nobody else can read or create one. */
export interface SignInCipher {
  encrypt(attempt: SignInAttempt): string;
  /** Returns null if the text is not a sign-in encrypted with one of our keys. */
  decrypt(encrypted: string): SignInAttempt | null;
}

/** How long a user may take to sign in at the provider. */
export const SIGN_IN_MS = 10 * 60_000;

/** When the sign-in can no longer be completed. */
export function endOfSignIn({ begunAt }: SignInAttempt): Date {
  return new Date(begunAt.getTime() + SIGN_IN_MS);
}

const SHOWN_CLAIMS_MAX = 50;
const NAME_CLAIMS = ['name', 'preferred_username', 'email'] as const;

interface Dependencies {
  readonly users: Pick<UserStore, 'signIn' | 'endOwn'>;
  readonly projects: ProjectLookup['projects'];
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
  readonly clock: Clock;
}

interface SignIn {
  readonly issuer: string;
  readonly rules: RoleRules;
  readonly claims: IdClaims;
  readonly once: SignInOnce;
  readonly requestId: string;
}

/**
 * Begins the session of a user, with the rights of the first role that matches. If there is none any more, ends the earlier sessions.
 * @throws DomainError `not_granted` if there is none
 */
export async function signIn(
  { users, projects, clock, ...names }: Dependencies,
  { issuer, rules, claims, once, requestId }: SignIn,
): Promise<Session> {
  const subject = subjectOf(claims);
  const at = clock.now();
  const deny = async (reason: DomainError): Promise<never> => {
    await users.endOwn({ issuer, subject }, { requestId, at });
    throw reason;
  };
  const role = roleOf(rules, claims);
  if (role === null) return deny(noRole(rules, claims));
  const projectIds = role.projectIds === null ? [] : await projectIdsOf({ projects }, role.projectIds);
  if (projectIds.includes(NO_PROJECT)) return deny(noProject());
  const user = { issuer, subject, label: labelOf(claims, subject), scopes: role.scopes, projectIds };
  const keyHash = await users
    .signIn({ ...user, hash: unusedHash(names) }, once, { requestId, at })
    .catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'does_not_exist' ? noProject() : error;
    });
  if (keyHash === null)
    throw new DomainError('invalid_input', 'This sign-in was completed before. Sign in again.');
  return { keyHash, begunAt: at, usedAt: at };
}

/** Returns the first role whose value the claim has, as a text or in a list. An email address counts if the provider has verified it. */
export function roleOf({ claim, roles }: RoleRules, claims: IdClaims): UserRole | null {
  const isTrusted = Object.hasOwn(claims, claim) && !isUnverified(claim, claims);
  const values = isTrusted ? [claims[claim]].flat() : [];
  const scalars = values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value));
  const texts = new Set(scalars.map(String));
  return roles.find(({ value }) => texts.has(value)) ?? null;
}

/** Providers may let users enter any address. */
function isUnverified(claim: string, { email_verified: isVerified }: IdClaims): boolean {
  return claim === 'email' && isVerified !== true && isVerified !== 'true';
}

/** Returns what histories call a user: a subject may be too long for it, or have characters that deceive. */
export function labelOf(claims: IdClaims, subject: string): string {
  return userName(claims) ?? (isLabel(subject, LABEL_MAX) ? subject : 'User without a name');
}

/** Returns the name to show; null if the claims have none that can be shown. */
export function userName(claims: IdClaims): string | null {
  for (const claim of NAME_CLAIMS) {
    const value = claims[claim];
    const name = typeof value === 'string' ? value.trim() : '';
    if (name !== '' && isLabel(name, LABEL_MAX)) return name;
  }
  return null;
}

function subjectOf({ sub }: IdClaims): string {
  if (typeof sub === 'string' && sub !== '' && isStorable(sub) && codePoints(sub) <= USER_SUBJECT_MAX)
    return sub;
  throw new DomainError('not_granted', 'The token of the identity provider has no valid subject (sub).');
}

/** Names the claims without their values, since bystanders and screenshots see the page. */
function noRole({ claim }: RoleRules, claims: IdClaims): DomainError {
  const names = Object.keys(claims).filter((name) => isLabel(name, LABEL_MAX));
  const received = names.toSorted().slice(0, SHOWN_CLAIMS_MAX).join(', ');
  const reason = !Object.hasOwn(claims, claim)
    ? `Your sign-in has no claim ${claim}.`
    : isUnverified(claim, claims)
      ? 'The identity provider has not verified your email address.'
      : `No role matches your claim ${claim}.`;
  return new DomainError(
    'not_granted',
    `${reason} The identity provider sent these claims: ${received}. Ask an administrator to add you to a group of this service.`,
  );
}

function noProject(): DomainError {
  return new DomainError('not_granted', 'A project of your role does not exist. Tell an administrator.');
}
