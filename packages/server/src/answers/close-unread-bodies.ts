import type { FastifyInstance } from 'fastify';

/** Long enough to read the response, and to finish a body that is nearly sent. */
const LINGER_MS = 2_000;

/**
 * Closes connections whose callers go on sending a body after the response. Node alone would read and drop the rest until the
 * time limit of a request, so rejected bodies without end could hold all connections.
 */
export function closeUnreadBodies(app: FastifyInstance, lingerMs = LINGER_MS): void {
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete) {
      const timer = setTimeout(() => raw.destroy(), lingerMs).unref();
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
