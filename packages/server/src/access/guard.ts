import { parsePathIds, type Need, type PathParams } from '@plugin-config/contract';
import {
  authorise,
  callerOf,
  DomainError,
  invalidCredential,
  isAccessToken,
  isToken,
  keylessActor,
  narrowed,
  projectNotFound,
  type AccessNeed,
  type AccessProbe,
  type AccessToken,
  type AccessTokenSigner,
  type Actor,
  type ApiKeyStore,
  type Clock,
  type Family,
  type KeyGrant,
  type ProjectRef,
  type Scope,
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
  readonly accessTokens: Pick<AccessTokenSigner, 'verify'>;
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
  /** True if only a key itself may be used, neither a session nor a token. */
  readonly keyOnly?: boolean | undefined;
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
    accessTokens,
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
  /** Reads the header. Throws if its key or token is malformed, which saves a query. */
  const credentialIn = (authorization: string | undefined): Credential => {
    const text = readBearer(authorization);
    const token = isAccessToken(text) ? accessTokens.verify(text) : null;
    if (token === null && !isToken(text)) throw invalidCredential();
    return { keyHash: token?.keyHash ?? hasher.hash(text), token };
  };
  return ({ scope, orScope, needs, unbound = false, keyOnly = false, family = null }) =>
    async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { authorization } = request.raw.headers;
      const session = authorization === undefined ? sessionOf(request) : null;
      const { keyHash, token } =
        session === null ? credentialIn(authorization) : { keyHash: session.keyHash, token: null };
      const { project: named, recordId } = parsePathIds(request.params as PathParams);
      const projectInPath = needs === 'key' ? undefined : named;
      const project = currentOf(token, projectInPath ?? null);
      const query = { keyHash, project, family, recordId: needs === 'record' ? recordId : null };
      const by: AccessNeed['by'] = token === null ? (session === null ? 'key' : 'session') : 'token';
      const need = projectInPath === null ? ANY_PROJECT : { project, scope, orScope, unbound, keyOnly, by };
      const admitByQuery = async (): Promise<Access> => {
        request.access = null;
        const { timeline } = primary;
        const result = await probe.read(query);
        if (timeline.ended.aborted) return admitByQuery();
        const at = clock.now();
        const found = result.key !== null && token !== null ? narrowed(result.key, token) : result.key;
        const key = authorise({ ...result, key: found }, need, at);
        if (projectInPath === null) throw projectNotFound();
        const { projectId, familyVersion, registryVersion, record } = result;
        return (request.access = {
          recordId,
          key,
          keyHash,
          actor: actorBy(key, token),
          caller: token === null ? String(key.id) : `${key.id} ${callerOf(token)}`,
          endsAt: session?.endsAt ?? token?.expiresAt ?? null,
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

interface Credential {
  readonly keyHash: string;
  /** Null if the request has the key itself. */
  readonly token: AccessToken | null;
}

function readBearer(authorization: string | undefined): string {
  const text = BEARER.exec(authorization ?? '')?.[1]?.trim() ?? '';
  if (text !== '') return text;
  throw new DomainError('not_authenticated', 'Authentication credentials were not provided.');
}

function actorBy(key: KeyGrant, token: AccessToken | null): Actor {
  const { id: keyId, label } = key;
  if (key.user !== undefined) return keylessActor(key, { id: key.user });
  const subject = token?.subject ?? null;
  if (subject === null) return { keyId, label };
  return key.isTrust === true ? keylessActor(key, subject) : { keyId, label, subject };
}

/** The current project of a token for projects is the one with the lowest id, as for a key. */
function currentOf(token: AccessToken | null, project: ProjectRef | null): ProjectRef | null {
  const isNarrower = token !== null && token.projectIds.length > 0;
  return project === 'current' && isNarrower ? Math.min(...token.projectIds) : project;
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
