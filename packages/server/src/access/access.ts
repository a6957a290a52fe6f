import type { ConfigRecord, KeyGrant } from '@plugin-config/domain';
import type { FastifyRequest } from 'fastify';

/** What is known of a request that was let in. */
export interface Access {
  readonly key: KeyGrant;
  /** When it was let in. */
  readonly at: Date;
  /** When the request began to arrive, by the clock of `performance.now`. */
  readonly startedAt: number;
  /** 0 where it addresses no project. */
  readonly projectId: number;
  /** The revision of the family that it addresses. */
  readonly revision: number;
  /** The record that it addresses, where the route asks for it and there is one. */
  readonly record: ConfigRecord | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the guard of the route has let the request in. */
    access: Access | null;
  }
}

export function accessOf({ access }: FastifyRequest): Access {
  if (access === null) throw new Error('A route that asks who calls needs a guard.');
  return access;
}
