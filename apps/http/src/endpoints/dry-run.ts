import { hasDryRun, readDryRun, rejectDryRun, type Endpoint } from '@plugin-config/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** The headers that name or tag what is stored. */
const OF_STORED = new Set(['location', 'etag']);

/** Handles a write, or its dry run if the query asks for one. */
export function orDryRun(endpoint: Endpoint, real: RouteHandler, dry: RouteHandler): RouteHandler {
  if (!hasDryRun(endpoint)) {
    return (request, reply) => {
      rejectDryRun(request.query);
      return real(request, reply);
    };
  }
  return (request, reply) =>
    readDryRun(request.query) ? dry(request, asOfDryRun(reply)) : real(request, reply);
}

/** Marks the response. From here on it takes no header that would name or tag what is not stored. */
function asOfDryRun(reply: FastifyReply): FastifyReply {
  const set = reply.header('dry-run', 'true').header.bind(reply);
  const header: FastifyReply['header'] = (name, value) =>
    OF_STORED.has(name.toLowerCase()) ? reply : set(name, value);
  return Object.assign(reply, { header });
}
