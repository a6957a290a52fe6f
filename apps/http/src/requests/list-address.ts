import { pathOf, queryOf } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { otherParameters, type ListAddress } from '../answers/page-links.ts';
import type { BaseUrl } from './base-url.ts';

/** The address of the requested list, with the host that the caller used. */
export function listAddress(baseUrl: BaseUrl, request: FastifyRequest): ListAddress {
  const { url } = request;
  return { base: baseUrl(request) + pathOf(url), parameters: otherParameters(queryOf(url)) };
}
