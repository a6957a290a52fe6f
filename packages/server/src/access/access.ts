import { TIMEOUT_MS, type ConfigRecord, type KeyGrant } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type { FastifyRequest } from 'fastify';

/** The facts about an admitted request. */
export interface Access {
  readonly key: KeyGrant;
  /** When the session of the request ends at the latest; null if the request has a key. */
  readonly sessionEndsAt: Date | null;
  /** The time of admission. */
  readonly at: Date;
  /** When the request began to arrive, by the clock of `performance.now`. */
  readonly startedAt: number;
  /** 0 if the request addresses no project. */
  readonly projectId: number;
  /** The family version of the addressed family. */
  readonly familyVersion: number;
  /** The timeline of the store in which the family has this family version. */
  readonly timelineId: string;
  /** The version of the registry of plugins. */
  readonly registryVersion: number;
  /** How fresh an answer about the family must be. */
  readonly cacheVersion: number;
  /** Null if the path names no record, or a text that is no id. */
  readonly recordId: number | null;
  /** The addressed record, if the route needs it and it exists. */
  readonly record: ConfigRecord | null;
  /** The id of the key or plugin in the path; null if it names none, or a text that is no id. */
  readonly administered: number | null;
  /** The id of the job or log entry in the path; null if it names none, or a text that is no id. */
  readonly itemId: string | null;
  /** The number of a revision; null if the path names none, or a text that is no number. */
  readonly revision: number | null;
  /**
   * Asks what was cached to admit the request, and admits it again; null if nothing was. Before that, the request may be answered only by
   * a write that is stored.
   */
  readonly confirm: (() => Promise<Access>) | null;
  /** Admits the request again, after it has waited. */
  readonly admitAgain: () => Promise<Access>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the guard of the route has admitted the request. */
    access: Access | null;
  }
}

export function accessOf({ access }: FastifyRequest): Access {
  if (access === null) throw new Error('accessOf needs a route with a guard.');
  return access;
}

/** The account of whoever has no key. */
const NOBODY = 0;

/** The account that the limits count a request for. */
export function accountOf({ access }: Pick<FastifyRequest, 'access'>): number {
  return access === null ? NOBODY : access.key.accountId;
}

/**
 * The deadline of a request. It runs from the request's arrival on, but not while the service waits for the body, since
 * the caller determines that time.
 */
export function deadlineOf(request: FastifyRequest): Deadline {
  const end = accessOf(request).startedAt + request.bodyAwaitedMs + TIMEOUT_MS;
  return { remainingMs: () => end - performance.now() };
}
