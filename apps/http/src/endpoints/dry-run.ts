import { hasDryRun, readDryRun, rejectDryRun, type Endpoint } from '@plugin-config/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** The headers that refer to stored data. */
const STORED_HEADERS = new Set(['location', 'etag']);

/** Runs the write, or its dry run if the query requests one. */
export function withDryRun(endpoint: Endpoint, real: RouteHandler, dry: RouteHandler): RouteHandler {
  if (!hasDryRun(endpoint)) {
    return (request, reply) => {
      rejectDryRun(request.query);
      return real(request, reply);
    };
  }
  return (request, reply) =>
    readDryRun(request.query) ? dry(request, markDryRun(reply)) : real(request, reply);
}

/** Marks the response as a dry run, and drops headers that refer to stored data. */
function markDryRun(reply: FastifyReply): FastifyReply {
  const set = reply.header('dry-run', 'true').header.bind(reply);
  const header: FastifyReply['header'] = (name, value) =>
    STORED_HEADERS.has(name.toLowerCase()) ? reply : set(name, value);
  return Object.assign(reply, { header });
}
