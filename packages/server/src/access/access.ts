import { TIMEOUT_MS, type ConfigRecord, type KeyGrant } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type { FastifyRequest } from 'fastify';

/** What the guard knows about an admitted request. */
export interface Access {
  readonly key: KeyGrant;
  /** When the session of the request expires; null if the request has a key. */
  readonly sessionEndsAt: Date | null;
  /** The time of admission. */
  readonly at: Date;
  /** When the request began to arrive, on the clock of `performance.now`. */
  readonly startedAt: number;
  /** 0 if the path names no project. */
  readonly projectId: number;
  readonly familyVersion: number;
  /** The timeline that `familyVersion` belongs to. */
  readonly timelineId: string;
  readonly registryVersion: number;
  /** The lowest cache version that a response about the family may have. */
  readonly cacheVersion: number;
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

/** Returns the deadline of a request. The time that the caller takes to send the body does not count. */
export function deadlineOf(request: FastifyRequest): Deadline {
  const end = accessOf(request).startedAt + request.bodyAwaitedMs + TIMEOUT_MS;
  return { remainingMs: () => end - performance.now() };
}
