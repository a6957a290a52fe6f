import type { EndpointWork } from '@plugin-config/contract';
import { SMALL_CHANGE_BYTES } from '@plugin-config/domain';
import { accessOf, type Work } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';

/** Returns the kind of work that a request to an endpoint is. */
export function kindOf(work: EndpointWork, request: FastifyRequest): Work {
  if (work === 'administration') return 'slow';
  if (work === 'search') return searchWork(request);
  if (work === 'fields') return setsConfiguration(request) ? configurationWork(request) : 'request';
  return work === 'configuration' ? configurationWork(request) : work;
}

/** A dry run occupies a database connection, and does not count as a change. */
export function dryWork(work: EndpointWork): EndpointWork {
  return work === 'large' ? work : 'slow';
}

function setsConfiguration({ body }: FastifyRequest): boolean {
  return typeof (body as { readonly config?: unknown } | null)?.config === 'object';
}

/** Comparing configurations is `large` work unless the old and the new one together are small. */
function configurationWork(request: FastifyRequest): Work {
  const replaced = accessOf(request).record?.config.length ?? 0;
  const sent = Number(request.headers['content-length'] ?? Infinity);
  return replaced + sent <= SMALL_CHANGE_BYTES ? 'request' : 'large';
}

/** The parameters that may require a search. */
const SEARCH_PARAMETERS = ['search', 'instance_id', 'type_filter', 'source'];

function searchWork({ query }: FastifyRequest): Work {
  const sent = query as Readonly<Record<string, unknown>>;
  return SEARCH_PARAMETERS.some((name) => sent[name] !== undefined) ? 'slow' : 'page';
}
