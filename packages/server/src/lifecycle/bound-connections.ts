import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Long enough to read the response, and to finish sending a body that is nearly complete. */
const LINGER_MS = 2_000;

/**
 * Closes connections whose callers do not read the response. Node's own timeouts only cover incomplete requests and idle
 * connections. Handlers may take as long as they need.
 */
export function closeStalledConnections(server: Server, stalledMs: number): void {
  server.setTimeout(stalledMs, (socket: Socket) => {
    const awaitsRequest = socket.timeout !== server.timeout;
    if (socket.writableLength > 0 || awaitsRequest) socket.destroy();
  });
}

/**
 * Closes connections whose callers keep sending a body after the response. Node would read and drop the rest until the request times
 * out.
 */
export function closeUnreadBodies(app: FastifyInstance, lingerMs = LINGER_MS): void {
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    const isUnread = raw.readableFlowing === null;
    if (isUnread && !raw.complete) raw.resume();
    done(null, payload);
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete) {
      const timer = setTimeout(() => raw.destroy(), lingerMs).unref();
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
