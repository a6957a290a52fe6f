import { ACCEPTED_HEADERS, EXPOSED_HEADERS } from '@plugin-config/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** The longest time for which browsers cache a preflight. */
const MAX_AGE_SECONDS = '7200';

/**
 * Lets pages of these origins call the service, with a key in a header but without cookies. Must be called before other hooks are
 * added, so the pages can also read error responses.
 */
export function allowOrigins(app: FastifyInstance, origins: ReadonlySet<string>): void {
  if (origins.size === 0) return;
  app.addHook('onRequest', ({ raw: { headers } }, reply, done) => {
    reply.header('vary', 'Origin');
    if (headers.origin !== undefined && origins.has(headers.origin)) {
      reply.header('access-control-allow-origin', headers.origin);
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    }
    done();
  });
}

/** Responds to preflights from allowed origins before the key is checked, since preflights have none. */
export function allowPreflights(app: FastifyInstance, origins: ReadonlySet<string>): void {
  if (origins.size === 0) return;
  app.addHook('onRequest', ({ method, raw: { headers } }, reply, done) => {
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (isPreflight && headers.origin !== undefined && origins.has(headers.origin)) sendPreflight(reply);
    else done();
  });
}

function sendPreflight(reply: FastifyReply): void {
  reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', ACCEPTED_HEADERS)
    .header('access-control-max-age', MAX_AGE_SECONDS)
    .send();
}
