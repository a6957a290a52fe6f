import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import { checkLabel, isStorable } from '../kernel/text.ts';
import { LABEL_MAX, TRUST_LIMITS, type Scope } from '../vocabulary/vocabulary.ts';
import { literalAddress, type AddressRules } from '../webhook/check-webhook.ts';
import { NOT_IN_TOKENS } from './access-token.ts';
import type { ApiKey } from './api-key.ts';

/** Which tokens of an identity provider can be exchanged. */
export interface TrustRule {
  readonly issuer: string;
  readonly audience: string;
  /** The accepted values of claims. A token needs one of them for each. */
  readonly claims: Readonly<Record<string, readonly string[]>>;
  readonly maxMinutes: number;
}

/** What a trust accepts, and what its tokens grant. */
export interface TrustDraft extends TrustRule, Pick<ApiKey, 'scopes' | 'projectIds'> {
  readonly name: string;
}

export interface Trust extends TrustDraft, Pick<ApiKey, 'id' | 'createdAt' | 'expiresAt' | 'lastUsedAt'> {}

/** The claims of a token whose signature was verified. */
export type IdClaims = Readonly<Record<string, unknown>>;

/** Verifies the signature of tokens by the published keys of their issuer. */
export interface IdTokenVerifier {
  /**
   * Returns the claims of a token that the issuer signed. They are not checked.
   * @throws DomainError `invalid_input`, attr `subject_token`, if it did not sign the token
   * @throws DomainError `unavailable` if its keys cannot be read
   */
  verify(idToken: string, issuer: string): Promise<IdClaims>;
}

/** Claims that every token has, which are checked in their own ways. */
const RESERVED: ReadonlySet<string> = new Set(['iss', 'aud', 'exp', 'nbf', 'iat', 'jti']);
const CLAIM_NAME = /^[\w.:/-]{1,100}$/;

/**
 * Returns the trust as it is stored.
 * @throws DomainError for the first field that is not valid
 */
export function checkTrust(draft: TrustDraft, rules: AddressRules): TrustDraft {
  const scopes = [...new Set(draft.scopes)];
  if (scopes.length === 0) throw new DomainError('required', 'A trust needs a scope.', { attr: 'scopes' });
  const forbidden = scopes.find((scope: Scope) => NOT_IN_TOKENS.has(scope));
  if (forbidden !== undefined) throw invalidInput('scopes', `A token cannot have the scope '${forbidden}'.`);
  checkIssuer(draft.issuer, rules);
  if (draft.audience.trim() === '')
    throw new DomainError('blank', 'A trust needs an audience.', { attr: 'audience' });
  checkClaims(draft.claims, draft.issuer);
  return { ...draft, name: trustName(draft.name), scopes, projectIds: [...new Set(draft.projectIds)] };
}

function trustName(text: string): string {
  const name = text.trim();
  if (name === '') throw new DomainError('blank', 'A trust needs a name.', { attr: 'name' });
  checkLabel(name, { attr: 'name', max: LABEL_MAX });
  return name;
}

/** Checks the address of an issuer. HTTP is only for addresses inside, which the operator allowed. */
export function checkIssuer(issuer: string, rules: AddressRules): void {
  const url = rules.parseUrl(issuer);
  const isSecure = url?.protocol === 'https:';
  if (url === null || (!isSecure && !(url.protocol === 'http:' && rules.allowHttp)))
    throw invalidInput(
      'issuer',
      'This must be a URL that starts with https://, exactly as in the tokens. http:// needs OIDC_ALLOW_ADDRESSES of the service.',
    );
  if (url.username !== '' || url.password !== '' || /[?#\s]/.test(issuer))
    throw invalidInput('issuer', 'A user, password, query or fragment is not allowed.');
  const address = literalAddress(url);
  if (address !== null ? rules.isForbidden(address) : !isSecure)
    throw invalidInput(
      'issuer',
      'This address is not public, and not in OIDC_ALLOW_ADDRESSES of the service.',
    );
}

function checkClaims(claims: TrustRule['claims'], issuer: string): void {
  const entries = Object.entries(claims);
  for (const [name, values] of entries) {
    if (!CLAIM_NAME.test(name))
      throw invalidInput('claims', `${JSON.stringify(name)} is not the name of a claim.`);
    if (RESERVED.has(name))
      throw invalidInput('claims', `The claim ${name} is always checked: leave it out.`);
    if (values.length === 0) throw invalidInput('claims', `The claim ${name} needs a value.`);
    if (values.some((value) => value.includes('*')))
      throw invalidInput('claims', `The claim ${name} has a *: values match exactly, there are no patterns.`);
  }
  if (!entries.some(([name]) => isStable(name, issuer))) {
    const sub = isGitHub(issuer) ? '' : ', or sub';
    throw invalidInput(
      'claims',
      `At least one claim must be an id, which nobody can rename: its name ends in _id${sub}.`,
    );
  }
}

function isStable(name: string, issuer: string): boolean {
  return name.endsWith('_id') || (name === 'sub' && !isGitHub(issuer));
}

/** The `sub` of GitHub has the name of the repository, which can be renamed and registered by somebody else. */
function isGitHub(issuer: string): boolean {
  return /^https:\/\/token\.actions\.|\/_services\/token/i.test(issuer);
}

const SKEW_MS = 30_000;
const LATEST_END_MS = 5 * 60_000;

/** The claims of a token that its exchange uses. */
export interface AcceptedClaims {
  readonly sub: string;
  readonly jti: string;
  readonly expiresAt: Date;
}

/**
 * Returns what the exchange uses of a token whose signature was verified.
 * @throws DomainError `invalid_input`, attr `subject_token`, if the trust does not accept it
 */
export function acceptClaims(trust: TrustRule, claims: IdClaims, at: Date): AcceptedClaims {
  const now = at.getTime();
  const { iss, aud, exp, jti, sub } = claims;
  if (iss !== trust.issuer) throw rejected('Its issuer (iss) is not that of the trust.');
  if (aud === undefined) throw rejected('It has no audience (aud).');
  if (![aud].flat().includes(trust.audience)) throw rejected('Its audience (aud) is not that of the trust.');
  if (!isTime(exp)) throw rejected('It has no expiry (exp).');
  if (exp * 1000 <= now - SKEW_MS) throw rejected('It has expired (exp).');
  if (exp * 1000 > now + LATEST_END_MS + SKEW_MS)
    throw rejected('It expires (exp) in more than five minutes: request one with a shorter life.');
  for (const name of ['nbf', 'iat']) {
    const time = claims[name];
    if (time === undefined) continue;
    if (!isTime(time)) throw rejected(`Its ${name} is not a time.`);
    if (time * 1000 > now + SKEW_MS) throw rejected(`Its ${name} is in the future.`);
  }
  if (!isName(jti)) throw rejected('It has no id (jti).');
  if (!isName(sub)) throw rejected('It has no subject (sub).');
  for (const [name, values] of Object.entries(trust.claims)) {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (value === undefined) throw rejected(`It has no claim ${name}.`);
    if (!isScalar(value) || !values.includes(String(value)))
      throw rejected(`The trust does not accept the value of its claim ${name}.`);
  }
  return { sub, jti, expiresAt: new Date(exp * 1000) };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 1e11;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= TRUST_LIMITS.value && isStorable(value);
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

export function rejected(reason: string): DomainError {
  return invalidInput('subject_token', `The token is not accepted. ${reason}`);
}
