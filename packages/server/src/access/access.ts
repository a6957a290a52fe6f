import { TIMEOUT_MS, type Actor, type ConfigRecord, type KeyGrant } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type { Timeline } from '@plugin-config/persistence';
import type { FastifyRequest } from 'fastify';

/** The results of the guard for an admitted request. */
export interface Access {
  /** What the key grants; with a token, what is left of it. */
  readonly key: KeyGrant;
  readonly keyHash: string;
  readonly actor: Actor;
  /** Tells callers apart whose requests must not share a result: keys, and tokens for different things or subjects. */
  readonly caller: string;
  /** When the session or the token of the request expires; null if the request has a key. */
  readonly endsAt: Date | null;
  /** The time of admission. */
  readonly at: Date;
  /** When the request began to arrive, on the clock of `performance.now`. */
  readonly startedAt: number;
  /** 0 if the path names no project. */
  readonly projectId: number;
  /** The timeline on which the request was admitted, to which its caches, entity tags and cursors belong. */
  readonly timeline: Timeline;
  readonly familyVersion: number;
  readonly registryVersion: number;
  /** Null if the path has no valid record id. */
  readonly recordId: number | null;
  /** The record in the path, if the route needs it and it exists. */
  readonly record: ConfigRecord | null;
  /** Admits the request again by another access query: after a wait, or after another writer was faster. */
  readonly admitAgain: () => Promise<Access>;
}

export function accessOf({ access }: FastifyRequest): Access {
  if (access === null) throw new Error('accessOf requires a route with a guard.');
  return access;
}

const ANONYMOUS = 0;

/** Returns the account whose limits a request counts towards. */
export function accountOf({ access }: Pick<FastifyRequest, 'access'>): number {
  return access === null ? ANONYMOUS : access.key.accountId;
}

/**
 * Returns the deadline of a request. The time that the caller takes to send the body does not count. A failover ends it, because
 * the new primary may lack what the request has read, so a write that depends on that must not be stored.
 */
export function deadlineOf(request: FastifyRequest): Deadline {
  const { startedAt, timeline } = accessOf(request);
  const end = startedAt + request.bodyAwaitedMs + TIMEOUT_MS;
  return { remainingMs: () => (timeline.ended.aborted ? 0 : end - performance.now()) };
}
