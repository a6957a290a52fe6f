import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto';
import { ACCESS_TOKEN_PREFIX, type AccessToken, type AccessTokenSigner } from '@plugin-config/domain';
import { LRUCache } from 'lru-cache';
import { NO_MASTER_KEY, type SecretsKeys } from './secrets-keys.ts';

/** Differs from every other use of the master keys, so a signature says nothing about them. */
const CONTEXT = 'signature of access tokens';
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 32;
const VERIFIED_MAX = 1000;
const FORM = new RegExp(String.raw`^${ACCESS_TOKEN_PREFIX}([\w-]{1,12000})\.([\w-]{43})$`);

/** What a token says, with short names, since it travels with each request. */
interface Claims {
  readonly k: string;
  readonly s: AccessToken['scopes'];
  readonly p?: AccessToken['projectIds'];
  readonly g?: AccessToken['pluginIds'];
  readonly u?: AccessToken['subject'];
  readonly e: number;
}

/**
 * Signs tokens with a key derived from the first master key, and accepts those of all master keys in the list. What a token says is
 * readable, and none of it is secret: the hash of a key cannot be turned back.
 */
export function hmacAccessTokens(masterKeys: SecretsKeys): AccessTokenSigner {
  const keys = [...masterKeys.values()].map((key) =>
    Buffer.from(hkdfSync('sha256', key, '', CONTEXT, KEY_BYTES)),
  );
  /** The tokens with a valid signature, by their hash. Hashing one takes no longer than hashing a key. */
  const verified = new LRUCache<string, AccessToken>({ max: VERIFIED_MAX });
  const verifyNew = (text: string): AccessToken | null => {
    const [, claims = '', signed = ''] = FORM.exec(text) ?? [];
    const given = Buffer.from(signed, 'base64url');
    if (given.length !== SIGNATURE_BYTES) return null;
    const isOurs = keys.some((key) => timingSafeEqual(signature(key, claims), given));
    return isOurs ? tokenOf(JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims) : null;
  };
  return {
    sign(token) {
      const [key] = keys;
      if (key === undefined) throw new Error(NO_MASTER_KEY);
      const claims = Buffer.from(JSON.stringify(claimsOf(token))).toString('base64url');
      return `${ACCESS_TOKEN_PREFIX}${claims}.${signature(key, claims).toString('base64url')}`;
    },

    verify(text) {
      const digest = hash('sha256', text, 'base64url');
      const token = verified.get(digest) ?? verifyNew(text);
      if (token !== null) verified.set(digest, token);
      return token;
    },
  };
}

function signature(key: Buffer, claims: string): Buffer {
  return createHmac('sha256', key).update(claims).digest();
}

function claimsOf({ keyHash, scopes, projectIds, pluginIds, subject, expiresAt }: AccessToken): Claims {
  return {
    k: Buffer.from(keyHash, 'hex').toString('base64url'),
    s: scopes,
    ...(projectIds.length > 0 && { p: projectIds }),
    ...(pluginIds.length > 0 && { g: pluginIds }),
    ...(subject !== null && { u: subject }),
    e: expiresAt.getTime(),
  };
}

function tokenOf({ k, s, p = [], g = [], u = null, e }: Claims): AccessToken {
  return {
    keyHash: Buffer.from(k, 'base64url').toString('hex'),
    scopes: s,
    projectIds: p,
    pluginIds: g,
    subject: u,
    expiresAt: new Date(e),
  };
}
