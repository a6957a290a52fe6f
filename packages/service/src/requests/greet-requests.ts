import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpointNotFound } from '../errors/http-problem.ts';

/** What every request meets first: its id, and the end where no such path is known. */
export function greetRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    greet(request, reply);
    if (request.is404) done(endpointNotFound());
    else done();
  });
}

export function greet(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
}
