import { DomainError, invalidCredential, isToken, type Token } from '@plugin-config/domain';

const BEARER = /^\s*bearer(?:\s+(.*))?$/is;

/** Reads the token of an `Authorization` header. Refuses a malformed one without a query. */
export function readToken(authorization: string | undefined): Token {
  const token = BEARER.exec(authorization ?? '')?.[1]?.trim() ?? '';
  if (token === '') {
    throw new DomainError('not_authenticated', 'Authentication credentials were not provided.');
  }
  if (!isToken(token)) throw invalidCredential();
  return token;
}
