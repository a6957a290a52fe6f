import { PATIENCE_MS } from '@plugin-config/domain';
import type { Patience } from '@plugin-config/flow';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';

/**
 * The patience of a request. It runs from the request's arrival on, but not while the service waits for the body, since
 * the caller determines that time.
 */
export function patienceOf(request: FastifyRequest): Patience {
  const end = accessOf(request).startedAt + (request.raw.arriving?.awaitedMs ?? 0) + PATIENCE_MS;
  return { left: () => end - performance.now() };
}
