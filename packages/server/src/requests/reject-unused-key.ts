import { IDEMPOTENCY_HEADER, invalidInput } from '@plugin-config/domain';
import type { FastifyRequest } from 'fastify';

/** @throws DomainError `invalid_input` if the request has an `Idempotency-Key`, where it would have no effect */
export function rejectUnusedKey({ headers }: FastifyRequest): void {
  if (headers['idempotency-key'] !== undefined)
    throw invalidInput(IDEMPOTENCY_HEADER, 'This header has no effect here. Send the request without it.');
}
