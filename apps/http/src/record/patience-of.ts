import type { Patience } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';

/** Callers wait: better an early refusal than a late answer. */
export const PATIENCE_MS = 4_000;

/** What is left of a request's time since it arrived. The time that its body took to arrive is its caller's own. */
export function patienceOf(reply: FastifyReply): Patience {
  const workStart = reply.elapsedTime;
  const end = PATIENCE_MS - accessOf(reply.request).waitedMs + workStart;
  return { left: () => end - reply.elapsedTime };
}
