import { recordNotFound, type Author, type ConfigRecord } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';

export function addressedRecord(request: FastifyRequest): ConfigRecord {
  const { record } = accessOf(request);
  if (record === null) throw recordNotFound();
  return record;
}

export function authorOf(request: FastifyRequest): Author {
  const { key, at } = accessOf(request);
  return { actor: { keyId: key.id, label: key.label }, requestId: request.id, at };
}
