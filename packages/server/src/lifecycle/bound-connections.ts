import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { dropBody } from '../requests/read-body.ts';

const CLOSE_IDLE_EVERY_MS = 100;
/** Long enough to read the response, and to finish sending a body that is nearly complete. */
const LINGER_MS = 2_000;

/**
 * Limits the number of connections. At the limit, a new connection is closed at once, along with all idle connections, to make room
 * for the next one.
 */
export function boundConnections(server: Server, maxConnections: number): void {
  let closedIdleAt = -Infinity;
  server.maxConnections = maxConnections;
  server.on('drop', () => {
    // This visits every connection, so a flood must not trigger it each time.
    if (performance.now() < closedIdleAt + CLOSE_IDLE_EVERY_MS) return;
    closedIdleAt = performance.now();
    server.closeIdleConnections();
  });
}

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
 * Closes connections whose callers keep sending a body after the response. Node would read and drop the rest as fast as it arrives,
 * until the request times out.
 */
export function closeUnreadBodies(app: FastifyInstance, lingerMs = LINGER_MS): void {
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    const isUnread = raw.readableFlowing === null;
    if (isUnread && !raw.complete) dropBody(raw);
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
