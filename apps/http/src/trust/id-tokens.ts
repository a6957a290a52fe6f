import { DomainError, isObject, rejected, type IdTokenVerifier } from '@plugin-config/domain';
import { compactVerify, errors, type createLocalJWKSet } from 'jose';
import { PAUSE_MS, type PublishedIssuers } from './published-issuers.ts';

/** No others: a token cannot choose how it is verified. */
export const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Verifies tokens by the keys that their issuer publishes. */
export function publishedKeysVerifier(issuers: PublishedIssuers): IdTokenVerifier {
  return {
    async verify(idToken, issuer) {
      const published = await issuers.find(issuer);
      if (published === null) throw unreadable();
      try {
        return await claimsOf(idToken, published.keys);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw asRejection(error);
      }
      // The issuer may have a new key.
      const { keys } = (await issuers.findNewer(issuer)) ?? published;
      return claimsOf(idToken, keys).catch((error: unknown) => {
        throw asRejection(error);
      });
    },
  };
}

async function claimsOf(idToken: string, keys: KeySet): Promise<Readonly<Record<string, unknown>>> {
  const { payload } = await compactVerify(idToken, keys, { algorithms: ALGORITHMS });
  const claims = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)) as unknown;
  if (!isObject(claims)) throw new TypeError('no claims');
  return claims;
}

function asRejection(error: unknown): DomainError {
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return rejected('Its issuer has no such key.');
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return rejected(`Its algorithm is not one of ${ALGORITHMS.join(', ')}.`);
  if (error instanceof errors.JWSSignatureVerificationFailed) return rejected('Its signature is wrong.');
  return rejected('It is not a signed JWT.');
}

export function unreadable(): DomainError {
  const message = 'The keys of the issuer cannot be read. The log of the service says why.';
  return new DomainError('unavailable', message, { retryAfterSeconds: PAUSE_MS / 1000 });
}
