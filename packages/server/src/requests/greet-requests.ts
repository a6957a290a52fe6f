import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badHost, endpointNotFound } from '../errors/http-problem.ts';
import { namesOneHost } from './names-one-host.ts';

/** What every request meets first: its id, and the end where it names no host or no path that is known. */
export function greetRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    greet(request, reply);
    if (!namesOneHost(request.raw)) done(badHost());
    else if (request.is404) done(endpointNotFound());
    else done();
  });
}

export function greet(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
}
