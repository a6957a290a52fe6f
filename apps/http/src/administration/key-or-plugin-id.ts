import { notFound } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the id of the key or plugin in the path.
 * @throws DomainError `not_found` if it is not a valid id
 */
export function keyOrPluginIdOf(request: FastifyRequest): number {
  const { keyOrPluginId } = accessOf(request);
  if (keyOrPluginId === null) throw notFound();
  return keyOrPluginId;
}
