import type { ConfigRecord, KeyGrant } from '@plugin-config/domain';
import type { FastifyRequest } from 'fastify';

/** The facts about an admitted request. */
export interface Access {
  readonly key: KeyGrant;
  /** The time of admission. */
  readonly at: Date;
  /** When the request began to arrive, by the clock of `performance.now`. */
  readonly startedAt: number;
  /** 0 if the request addresses no project. */
  readonly projectId: number;
  /** The revision of the addressed family. */
  readonly revision: number;
  /** The lineage of the store in which the family has this revision. */
  readonly lineage: string;
  /** How fresh an answer about the family must be. */
  readonly freshness: number;
  /** Null if the path names no record, or a text that is no id. */
  readonly recordId: number | null;
  /** The addressed record, if the route needs it and it exists. */
  readonly record: ConfigRecord | null;
  /** Null if the path names no job, or a text that is no id. */
  readonly jobId: string | null;
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
