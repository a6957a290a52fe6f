import { addressOf, type PathParams } from '@plugin-config/contract';
import {
  admits,
  authorise,
  DomainError,
  invalidCredential,
  isToken,
  projectNotFound,
  type AccessResult,
  type AccessNeed,
  type AccessProbe,
  type ApiKeyStore,
  type Clock,
  type Family,
  type Scope,
  type Token,
  type TokenHasher,
} from '@plugin-config/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Logger } from 'pino';
import type { Access } from './access.ts';
import { flushKeyUses, keyUses } from './key-uses.ts';
import { rateLimiter, type RateLimiter } from './rate-limiter.ts';

/** The session that a request belongs to. */
export interface RequestSession {
  readonly keyHash: string;
  /** When it ends at the latest. */
  readonly endsAt: Date;
  /** Tells the browser of the use of the session, if it was not used for a while. */
  renew(reply: FastifyReply, at: Date): void;
}

interface Dependencies {
  readonly probe: AccessProbe;
  readonly hasher: TokenHasher;
  readonly clock: Clock;
  /** Null if there is no limit. */
  readonly rateLimitPerMinute: number | null;
  readonly keys: Pick<ApiKeyStore, 'touch'>;
  readonly logger: Logger;
  /**
   * Finds the session of a request without `Authorization`; null if it has none that counts. No request has one unless set.
   * @throws DomainError `authentication_failed` if the session has ended
   */
  readonly sessionOf?: (request: FastifyRequest) => RequestSession | null;
}

/** What a route requires of a request. */
export interface GuardOptions {
  /** If absent, any valid key is enough. */
  readonly scope?: Scope;
  /** True if the key must not be bound to projects. */
  readonly unbound?: boolean;
  /** The family whose family version the handler needs. */
  readonly family?: Family;
  /** True if the handler needs the record that the path names. */
  readonly record?: boolean;
  /** True if the handler confirms the access before it answers anything but a write. */
  readonly allowsCached?: boolean;
}

const BEARER = /^\s*bearer(?:\s+(.*))?$/is;
/** Checks only the key: a malformed project id is answered with 404 only to a caller with a valid key. */
const ANY_PROJECT: AccessNeed = { project: null, scope: null };

export type Guard = (need: GuardOptions) => onRequestAsyncHookHandler;

/**
 * Makes the guard of the app's routes: it checks credential, project, scope and rate of each request, with at most one query. Stores
 * key uses until the app closes.
 */
export function guardRequests(
  app: FastifyInstance,
  { probe, hasher, clock, rateLimitPerMinute: perMinute, keys, logger, sessionOf = () => null }: Dependencies,
): Guard {
  const limiter = perMinute === null ? null : rateLimiter({ perMinute });
  const uses = keyUses({ keys });
  flushKeyUses(app, { uses, logger });
  return ({ scope = null, unbound = false, family = null, record = false, allowsCached = false }) =>
    async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { authorization } = request.raw.headers;
      const session = authorization === undefined ? sessionOf(request) : null;
      const keyHash = session?.keyHash ?? hasher.hash(readToken(authorization));
      const { project: addressed, ...parts } = addressOf(request.params as PathParams);
      const project = addressed ?? null;
      const query = { keyHash, project, family, recordId: record ? parts.recordId : null };
      const need =
        addressed === null ? ANY_PROJECT : { project, scope, unbound, isSession: session !== null };
      const enter = (answer: AccessResult, at: Date, confirm: Access['confirm'] = null): Access => {
        const key = authorise(answer, need, at);
        if (addressed === null) throw projectNotFound();
        const { projectId, familyVersion, timelineId, registryVersion, cacheVersion, record: found } = answer;
        return (request.access = {
          ...parts,
          key,
          sessionEndsAt: session?.endsAt ?? null,
          at,
          startedAt: performance.now() - reply.elapsedTime,
          projectId: projectId ?? 0,
          familyVersion,
          timelineId,
          registryVersion,
          cacheVersion,
          record: found,
          confirm,
          admitAgain: ask,
        });
      };
      const ask = async (): Promise<Access> => {
        request.access = null;
        const answer = await probe.ask(query);
        return enter(answer, clock.now());
      };
      const enterCached = (answer: AccessResult): Access | null => {
        const at = clock.now();
        return admits(answer, need, at) ? enter(answer, at, ask) : null;
      };
      const cached = allowsCached ? probe.lookUp(query) : null;
      const { key, at } = (cached && enterCached(cached)) ?? (await ask());
      if (limiter !== null) limitRate(reply, limiter, key.id);
      uses.note(key.id, at);
      session?.renew(reply, at);
    };
}

/** Reads the token of an `Authorization` header. Rejects a malformed one without a query. */
function readToken(authorization: string | undefined): Token {
  const token = BEARER.exec(authorization ?? '')?.[1]?.trim() ?? '';
  if (token === '') {
    throw new DomainError('not_authenticated', 'Authentication credentials were not provided.');
  }
  if (!isToken(token)) throw invalidCredential();
  return token;
}

/**
 * Counts a request of the key, and sets the headers of the rate limit.
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
