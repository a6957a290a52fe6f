import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badHost, endpointNotFound } from '../errors/http-problem.ts';

/** Sets the common headers, then refuses requests without exactly one host or with an unknown path. */
export function checkHostAndPath(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    if (!namesOneHost(request.raw)) done(badHost());
    else if (request.is404) done(endpointNotFound());
    else done();
  });
}

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
}

/** HTTP/1.1 requires one `Host`, HTTP/1.0 allows at most one. Node silently keeps the first of several. */
function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
