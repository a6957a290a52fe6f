import type { Patience } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';

/** Callers wait: better an early refusal than a late answer. */
export const PATIENCE_MS = 4_000;

/**
 * The one patience of a request, whoever asks for it and when: it runs from the request's arrival on, but not while the
 * service waits for the body, whose time is the caller's own.
 */
export function patienceOf(request: FastifyRequest): Patience {
  const end = accessOf(request).startedAt + (request.arriving?.awaitedMs ?? 0) + PATIENCE_MS;
  return { left: () => end - performance.now() };
}
