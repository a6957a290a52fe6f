import { parsePathIds, type Need, type PathParams } from '@plugin-config/contract';
import {
  authorise,
  DomainError,
  invalidCredential,
  isToken,
  projectNotFound,
  type AccessNeed,
  type AccessProbe,
  type ApiKeyStore,
  type Clock,
  type Family,
  type Scope,
  type Token,
  type TokenHasher,
} from '@plugin-config/domain';
import type { Primary } from '@plugin-config/persistence';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Logger } from 'pino';
import type { Access } from './access.ts';
import { flushKeyUses, keyUses } from './key-uses.ts';
import { rateLimiter, type RateLimiter } from './rate-limiter.ts';

/** The session that a request belongs to. */
export interface RequestSession {
  readonly keyHash: string;
  /** When it expires. */
  readonly endsAt: Date;
  /** Refreshes the cookie if the session was not used for a while. */
  renew(reply: FastifyReply, at: Date): void;
}

interface Dependencies {
  readonly probe: AccessProbe;
  readonly hasher: TokenHasher;
  readonly clock: Clock;
  /** Null if there is no limit. */
  readonly rateLimitPerMinute: number | null;
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly primary: Pick<Primary, 'timeline'>;
  readonly logger: Logger;
  /**
   * Returns the session of a request without `Authorization`; null if it has none. By default, no request has a session.
   * @throws DomainError `authentication_failed` if the session has ended
   */
  readonly sessionOf?: (request: FastifyRequest) => RequestSession | null;
}

/** The requirements of a route. */
interface Requirements {
  /** If null, any valid key is enough. */
  readonly scope: Scope | null;
  /** Another scope that is enough. */
  readonly orScope?: Scope | undefined;
  readonly needs: Need;
  /** True if the key must not be bound to projects. */
  readonly unbound?: boolean | undefined;
  /** The family whose version the handler needs. */
  readonly family?: Family | null;
}

const BEARER = /^\s*bearer(?:\s+(.*))?$/is;
/** Checks only the key, because the 404 for a malformed project id requires a valid key. */
const ANY_PROJECT: AccessNeed = { project: null, scope: null };

export type Guard = (requirements: Requirements) => onRequestAsyncHookHandler;

/**
 * Creates the guard of the app's routes, which checks the credential, project, scope and rate limit of a request with at most one
 * query. Also stores when keys were last used, until the app closes.
 */
export function guardRequests(
  app: FastifyInstance,
  {
    probe,
    hasher,
    clock,
    rateLimitPerMinute: perMinute,
    keys,
    primary,
    logger,
    sessionOf = () => null,
  }: Dependencies,
): Guard {
  const limiter = perMinute === null ? null : rateLimiter({ perMinute });
  const uses = keyUses({ keys });
  flushKeyUses(app, { uses, logger });
  return ({ scope, orScope, needs, unbound = false, family = null }) =>
    async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { authorization } = request.raw.headers;
      const session = authorization === undefined ? sessionOf(request) : null;
      const keyHash = session?.keyHash ?? hasher.hash(readToken(authorization));
      const { project: named, recordId } = parsePathIds(request.params as PathParams);
      const projectInPath = needs === 'key' ? undefined : named;
      const project = projectInPath ?? null;
      const query = { keyHash, project, family, recordId: needs === 'record' ? recordId : null };
      const need =
        projectInPath === null
          ? ANY_PROJECT
          : { project, scope, orScope, unbound, isSession: session !== null };
      const admitByQuery = async (): Promise<Access> => {
        request.access = null;
        const { timeline } = primary;
        const result = await probe.read(query);
        if (timeline.ended.aborted) return admitByQuery();
        const at = clock.now();
        const key = authorise(result, need, at);
        if (projectInPath === null) throw projectNotFound();
        const { projectId, familyVersion, registryVersion, record } = result;
        return (request.access = {
          recordId,
          key,
          sessionEndsAt: session?.endsAt ?? null,
          at,
          startedAt: performance.now() - reply.elapsedTime,
          projectId: projectId ?? 0,
          timeline,
          familyVersion,
          registryVersion,
          record,
          admitAgain: admitByQuery,
        });
      };
      const { key, at } = await admitByQuery();
      if (limiter !== null) limitRate(reply, limiter, key.id);
      uses.add(key.id, at);
      session?.renew(reply, at);
    };
}

/** Returns the token in an `Authorization` header. Throws if it is malformed, which saves a query. */
function readToken(authorization: string | undefined): Token {
  const token = BEARER.exec(authorization ?? '')?.[1]?.trim() ?? '';
  if (token === '') {
    throw new DomainError('not_authenticated', 'Authentication credentials were not provided.');
  }
  if (!isToken(token)) throw invalidCredential();
  return token;
}

/**
 * Counts a request of the key and sets the rate limit headers.
 * @throws DomainError `throttled` if the key is over its limit
 */
function limitRate(reply: FastifyReply, { perMinute, count }: RateLimiter, keyId: number): void {
  const { waitSeconds, remaining, fullInSeconds } = count(keyId, performance.now());
  reply
    .header('ratelimit-policy', `"key";q=${perMinute};w=60`)
    .header('ratelimit', `"key";r=${remaining};t=${fullInSeconds}`);
  if (waitSeconds === null) return;
  throw new DomainError('throttled', `Request was throttled. Expected available in ${waitSeconds} seconds.`, {
    retryAfterSeconds: waitSeconds,
  });
}
