import type { FastifyInstance, FastifyRequest } from 'fastify';
import { arrivingBody, type ArrivingBody } from './arriving-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body, where the request has one. */
    arriving: Arriving | null;
  }
}

export interface Arriving {
  readonly body: ArrivingBody;
  /** How long the service has waited for the rest of the body, in milliseconds. */
  awaitedMs: number;
  /** Resolves when the request is answered, or its sender is gone. */
  readonly answered: Promise<void>;
}

/** Gathers the body of each request from its first piece on, before it is known who sends it. */
export function gatherBodies(app: FastifyInstance): void {
  app.decorateRequest('arriving', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) {
      const body = arrivingBody(request.raw);
      const { promise: answered, resolve } = Promise.withResolvers<void>();
      reply.raw.once('finish', body.refuse).once('close', resolve);
      request.arriving = { body, awaitedMs: 0, answered };
    }
    done();
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
