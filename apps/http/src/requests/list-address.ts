import { pathOf, queryOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { otherParameters, type ListAddress } from '../answers/page-links.ts';
import type { Origin } from './origin.ts';

/** Where the list that is asked for is found, by the words of who asks. */
export function listAddress(origin: Origin, request: FastifyRequest): ListAddress {
  const { url } = request;
  return { base: origin(request) + pathOf(url), parameters: otherParameters(queryOf(url)) };
}
