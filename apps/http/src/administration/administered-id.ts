import { notFound } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';

/**
 * The id of the key or plugin that the path names.
 * @throws DomainError `not_found` if the text is no id
 */
export function administeredId(request: FastifyRequest): number {
  const { administered } = accessOf(request);
  if (administered === null) throw notFound();
  return administered;
}
