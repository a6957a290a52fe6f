import type { Randomness } from '../kernel/randomness.ts';
import { NO_PLUGIN } from '../plugin/plugin.ts';
import type { Scope } from '../vocabulary/vocabulary.ts';

export interface ApiKey {
  readonly id: number;
  /** The account that limits apply to: the id of its first key. */
  readonly accountId: number;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Empty means all projects. */
  readonly projectIds: readonly number[];
  /** The key sees the records of these plugins alone; empty means all. */
  readonly pluginIds: readonly number[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  /** True for a trust, which is a key that nobody has. */
  readonly isTrust?: boolean;
  /** The subject of a user, who signs in and has no key either. */
  readonly user?: string;
}

/** The permissions of a key. Only `revokedAt` ever changes, and the statement of a write checks it. */
export type KeyGrant = Omit<ApiKey, 'createdAt' | 'lastUsedAt'> & {
  /** The projects of its token, including those that the key has lost since; absent or empty for all of the key. */
  readonly tokenProjectIds?: readonly number[];
};

/** The secret that the client sends. Only its hash is stored. */
export type Token = string;

const PREFIX = 'phx_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 43;
const FORM = /^phx_[0-9A-Za-z]{43}$/;
/** Bytes from here on are skipped: they would favour the first characters of the alphabet. */
const UNBIASED = 256 - (256 % ALPHABET.length);

export function newToken(randomness: Randomness): Token {
  let token = PREFIX;
  while (token.length < PREFIX.length + LENGTH) {
    for (const byte of randomness.bytes(LENGTH)) {
      if (byte < UNBIASED && token.length < PREFIX.length + LENGTH) token += ALPHABET[byte % ALPHABET.length];
    }
  }
  return token;
}

export function isToken(text: string): text is Token {
  return FORM.test(text);
}

export function isLive(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, at: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > at);
}

export function grantsProject(key: Pick<ApiKey, 'projectIds'>, projectId: number): boolean {
  return key.projectIds.length === 0 || key.projectIds.includes(projectId);
}

export function grantsPlugin({ pluginIds }: Pick<ApiKey, 'pluginIds'>, plugin: number): boolean {
  return pluginIds.length === 0 || pluginIds.includes(plugin);
}

/** Returns the plugins whose records a reader gets: the requested plugins that its key can access. An empty list means all. */
export function pluginsWithin(
  { pluginIds }: Pick<ApiKey, 'pluginIds'>,
  wanted: readonly number[],
): readonly number[] {
  if (pluginIds.length === 0) return wanted;
  if (wanted.length === 0) return pluginIds;
  const within = wanted.filter((id) => pluginIds.includes(id));
  return within.length === 0 ? [NO_PLUGIN] : within;
}

const INCLUDED_IN_PLUGIN_WRITE: ReadonlySet<Scope> = new Set(['plugin:read', 'config:write']);

/** `*` includes every scope, and `plugin:write` includes `plugin:read` and `config:write`. */
export function grantsScope(granted: readonly Scope[], needed: Scope): boolean {
  if (granted.includes('*') || granted.includes(needed)) return true;
  return INCLUDED_IN_PLUGIN_WRITE.has(needed) && granted.includes('plugin:write');
}

/** The maximum number of live keys of an account. */
export const ACCOUNT_KEYS_MAX = 1000;

/**
 * Returns the account that a key joins because of its issuer: a project-bound issuer's own. The operator (null) and keys bound
 * to no project pass on none.
 */
export function accountOfIssued(issuer: Pick<KeyGrant, 'accountId' | 'projectIds'> | null): number | null {
  return issuer === null || issuer.projectIds.length === 0 ? null : issuer.accountId;
}
