import type { Randomness } from '../kernel/randomness.ts';

export const SCOPES = [
  'plugin:read',
  'plugin:write',
  'plugin_log:write',
  'plugin_runtime',
  'key:write',
  'project:write',
  'plugin_registry:write',
  '*',
] as const;

export type Scope = (typeof SCOPES)[number];

export interface ApiKey {
  readonly id: number;
  /** Whom limits count the key for. It has the id of the account's first key. */
  readonly accountId: number;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** The projects that the key grants access to; empty means all. */
  readonly projectIds: readonly number[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** What a key may do. Nothing of it ever changes but `revokedAt`: `AccessProbe.lookUp` relies on it. */
export type KeyGrant = Omit<ApiKey, 'createdAt' | 'lastUsedAt'>;

/** The secret that the client sends. Only its hash is stored. */
export type Token = string;

const PREFIX = 'phx_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 43;
const FORM = /^phx_[0-9A-Za-z]{43}$/;
/** Bytes of this value or more are skipped: they would make the first characters of the alphabet likelier. */
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

/** `*` includes every scope, and `plugin:write` includes `plugin:read`. */
export function grantsScope(granted: readonly Scope[], needed: Scope): boolean {
  if (granted.includes('*') || granted.includes(needed)) return true;
  return needed === 'plugin:read' && granted.includes('plugin:write');
}

/** The most live keys of an account. */
export const ACCOUNT_KEYS_MAX = 1000;

/** The account of a key that this one issues; null if it starts an account. The operator, null, starts one for each key. */
export function accountOfIssued(issuer: Pick<KeyGrant, 'accountId' | 'projectIds'> | null): number | null {
  return issuer === null || issuer.projectIds.length === 0 ? null : issuer.accountId;
}
