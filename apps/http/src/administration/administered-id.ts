import { notFound } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the id of the key or plugin in the path.
 * @throws DomainError `not_found` if it is not a valid id
 */
export function administeredId(request: FastifyRequest): number {
  const { administered } = accessOf(request);
  if (administered === null) throw notFound();
  return administered;
}
