import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import type { Subject } from '../kernel/author.ts';
import { NO_PROJECT } from '../project/project-ref.ts';
import type { Scope } from '../vocabulary/vocabulary.ts';
import { grantsScope, pluginsWithin, type KeyGrant } from './api-key.ts';
import { checkPluginScopes } from './issue-api-key.ts';
import { checkWithin, powersOf } from './powers.ts';

/** What a short-lived token grants, out of what its key grants. No table has it: the token itself says it. */
export interface AccessToken {
  /** The hash of its key, which is looked up on each request. */
  readonly keyHash: string;
  readonly scopes: readonly Scope[];
  /** Empty means all projects of the key. */
  readonly projectIds: readonly number[];
  /** Empty means all plugins of the key. */
  readonly pluginIds: readonly number[];
  readonly subject: Subject | null;
  readonly expiresAt: Date;
}

/** Signs tokens, so nobody else can create one. */
export interface AccessTokenSigner {
  sign(token: AccessToken): string;
  /** Returns null if the text is not a token signed with one of our keys. The token may have expired. */
  verify(text: string): AccessToken | null;
}

export const ACCESS_TOKEN_PREFIX = 'pct_';

export function isAccessToken(text: string): boolean {
  return text.startsWith(ACCESS_TOKEN_PREFIX);
}

/** Scopes that tokens cannot use: a token issues nothing. */
export const NOT_IN_TOKENS: ReadonlySet<Scope> = new Set(['key:write']);

interface TokenIssue {
  readonly request: {
    readonly scopes: readonly Scope[];
    /** Undefined for the projects of the issuer, empty for all. */
    readonly projectIds: readonly number[] | undefined;
    readonly pluginIds: readonly number[] | undefined;
    readonly subject: Subject | null;
    readonly expiresInSeconds: number;
  };
  readonly issuer: KeyGrant;
  readonly keyHash: string;
  readonly at: Date;
}

/** Decides on the token that a key requests. It ends no later than its key, and grants nothing that its key does not. */
export function issueAccessToken({ request, issuer, keyHash, at }: TokenIssue): AccessToken {
  const scopes = [...new Set(request.scopes)];
  const forbidden = scopes.find((scope) => NOT_IN_TOKENS.has(scope));
  if (forbidden !== undefined) throw invalidInput('scopes', `A token cannot have the scope '${forbidden}'.`);
  const projectIds = request.projectIds ?? issuer.projectIds;
  const pluginIds = request.pluginIds ?? issuer.pluginIds;
  if (pluginIds.length > 0) checkPluginScopes(scopes);
  const latest = new Date(at.getTime() + request.expiresInSeconds * 1000);
  const expiresAt = earliest(latest, issuer.expiresAt);
  checkWithin(powersOf(issuer), { scopes, projectIds, expiresAt });
  checkPlugins(issuer.pluginIds, pluginIds);
  const { subject } = request;
  return {
    keyHash,
    scopes,
    projectIds: request.projectIds === undefined ? [] : distinct(projectIds),
    pluginIds: request.pluginIds === undefined ? [] : distinct(pluginIds),
    subject,
    expiresAt,
  };
}

function checkPlugins(ofIssuer: readonly number[], wanted: readonly number[]): void {
  if (ofIssuer.length === 0 || (wanted.length > 0 && wanted.every((id) => ofIssuer.includes(id)))) return;
  throw new DomainError('not_granted', 'This key cannot grant access to all of these plugins.', {
    attr: 'plugin_ids',
  });
}

/** Returns what is left of a key for a request with one of its tokens. */
export function narrowed(key: KeyGrant, { scopes, projectIds, pluginIds, expiresAt }: AccessToken): KeyGrant {
  return {
    ...key,
    scopes: scopes.filter((scope) => grantsScope(key.scopes, scope)),
    projectIds: projectsWithin(key, projectIds),
    tokenProjectIds: projectIds,
    pluginIds: pluginsWithin(key, pluginIds),
    expiresAt: earliest(expiresAt, key.expiresAt),
  };
}

function projectsWithin({ projectIds }: KeyGrant, wanted: readonly number[]): readonly number[] {
  if (projectIds.length === 0) return wanted;
  if (wanted.length === 0) return projectIds;
  const within = wanted.filter((id) => projectIds.includes(id));
  return within.length === 0 ? [NO_PROJECT] : within;
}

/** Tells tokens of a key apart that see or do different things. A renewed token is the same caller. */
export function callerOf({ scopes, projectIds, pluginIds, subject }: AccessToken): string {
  return JSON.stringify([scopes, projectIds, pluginIds, subject?.id ?? null]);
}

/** Returns the earlier of two ends; null is none. */
export function earliest(time: Date, other: Date | null): Date {
  return other !== null && other < time ? other : time;
}

function distinct(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}
