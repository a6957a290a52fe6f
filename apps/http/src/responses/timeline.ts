import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';

/** Prefixes an entity tag or a cursor with the timeline it belongs to, because versions can repeat on another one. */
export function onTimeline(request: FastifyRequest, text: string): string {
  return `${accessOf(request).timeline.id}.${text}`;
}
