import {
  checkIssuer,
  DomainError,
  rejected,
  type AddressRules,
  type IdTokenVerifier,
} from '@plugin-config/domain';
import { logFailure } from '@plugin-config/server';
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

/** No others: a token cannot choose how it is verified. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const ISSUERS_MAX = 1000;
/** How old keys become before they are read again. */
const FRESH_MS = 10 * 60_000;
/** The pause between two reads of an issuer's keys, whoever asks for a key that is unknown. */
const PAUSE_MS = 30_000;

interface Dependencies {
  readonly rules: AddressRules;
  readonly readJson: (url: string) => Promise<unknown>;
  readonly logger: Logger;
  /** A monotonic clock. */
  readonly now?: () => number;
}

type KeySet = ReturnType<typeof createLocalJWKSet>;

interface IssuerKeys {
  readonly keys: KeySet | null;
  /** When they were last read, or when that last failed. */
  readonly triedAt: number;
}

/**
 * Verifies tokens by the keys that their issuer publishes (OpenID Connect Discovery). Keys are read when they are needed, and the
 * last ones stay good while the issuer is away.
 */
export function publishedKeysVerifier({
  rules,
  readJson,
  logger,
  now = () => performance.now(),
}: Dependencies): IdTokenVerifier {
  const known = new LRUCache<string, IssuerKeys>({ max: ISSUERS_MAX });
  const reading = new Map<string, Promise<IssuerKeys>>();

  const read = async (issuer: string): Promise<IssuerKeys> => {
    let keys = known.get(issuer)?.keys ?? null;
    try {
      keys = await readKeys(readJson, rules, issuer);
    } catch (error) {
      logFailure(logger, { error, message: 'the keys of an issuer could not be read', about: { issuer } });
    }
    const found = { keys, triedAt: now() };
    known.set(issuer, found);
    return found;
  };
  const readOnce = (issuer: string): Promise<IssuerKeys> => {
    const started = reading.get(issuer) ?? read(issuer).finally(() => reading.delete(issuer));
    reading.set(issuer, started);
    return started;
  };
  const keysOf = async (issuer: string, maxAgeMs: number): Promise<KeySet | null> => {
    const found = known.get(issuer);
    const age = found === undefined ? Infinity : now() - found.triedAt;
    return (found === undefined || age > maxAgeMs ? await readOnce(issuer) : found).keys;
  };

  return {
    async verify(idToken, issuer) {
      const keys = await keysOf(issuer, (known.get(issuer)?.keys ?? null) === null ? PAUSE_MS : FRESH_MS);
      if (keys === null) throw unreadable();
      try {
        return await claimsOf(idToken, keys);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw asRejection(error);
      }
      // The issuer may have a new key.
      const current = await keysOf(issuer, PAUSE_MS);
      return claimsOf(idToken, current ?? keys).catch((error: unknown) => {
        throw asRejection(error);
      });
    },
  };
}

async function claimsOf(idToken: string, keys: KeySet): Promise<Readonly<Record<string, unknown>>> {
  const { payload } = await compactVerify(idToken, keys, { algorithms: ALGORITHMS });
  const claims = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as unknown;
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw new TypeError('no claims');
  return claims as Readonly<Record<string, unknown>>;
}

/** Reads the keys where the issuer's own document says. */
async function readKeys(
  readJson: (url: string) => Promise<unknown>,
  rules: AddressRules,
  issuer: string,
): Promise<KeySet> {
  checkIssuer(issuer, rules);
  const document = (await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)) as {
    readonly issuer?: unknown;
    readonly jwks_uri?: unknown;
  } | null;
  if (document?.issuer !== issuer) throw new Error('the document is of another issuer');
  if (typeof document.jwks_uri !== 'string') throw new Error('the document has no jwks_uri');
  return createLocalJWKSet((await readJson(document.jwks_uri)) as JSONWebKeySet);
}

function asRejection(error: unknown): DomainError {
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return rejected('Its issuer has no such key.');
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return rejected(`Its algorithm is not one of ${ALGORITHMS.join(', ')}.`);
  if (error instanceof errors.JWSSignatureVerificationFailed) return rejected('Its signature is wrong.');
  return rejected('It is not a signed JWT.');
}

function unreadable(): DomainError {
  const message = 'The keys of the issuer cannot be read. Try again later.';
  return new DomainError('unavailable', message, { retryAfterSeconds: PAUSE_MS / 1000 });
}
