import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { responseOn } from '../responses/response-on.ts';

/** Time for open connections to receive `connection: close`, and for readiness checks to fail. */
const LINGER_MS = 300;
const ROUND_MS = 100;
/** Requests that take longer are cut off, because the supervisor would not wait any longer. */
const GRACE_MS = 6000;

export interface GracefulShutdown {
  readonly begun: boolean;
  /** Stops listening, completes the accepted requests, and closes all connections. */
  begin(): Promise<void>;
}

export function gracefulShutdown(app: FastifyInstance): GracefulShutdown {
  const connections = openConnections(app);
  let ending: Promise<void> | null = null;
  app.addHook('onRequest', (_request, reply, done) => {
    if (ending !== null) reply.raw.setHeader('connection', 'close');
    done();
  });
  return {
    get begun() {
      return ending !== null;
    },
    begin: () => (ending ??= end(app, connections)),
  };
}

async function end(app: FastifyInstance, connections: ReadonlySet<Socket>): Promise<void> {
  const { server } = app;
  const cutOff = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  for (const socket of connections) closeAfterResponse(socket);
  const closed = once(server, 'close');
  await sleep(LINGER_MS);
  // `http.Server.close` would also close idle connections on which a request may be arriving.
  Server.prototype.close.call(server);
  const rounds = setInterval(() => {
    // Node considers a connection idle once its response is written, even if a slow caller has not read all of it.
    if (![...connections].some(hasUnsentResponse)) server.closeIdleConnections();
  }, ROUND_MS);
  await closed;
  clearInterval(rounds);
  clearTimeout(cutOff);
  await app.close();
}

function closeAfterResponse(socket: Socket): void {
  const response = responseOn(socket);
  if (response?.headersSent === false) response.setHeader('connection', 'close');
}

function hasUnsentResponse(socket: Socket): boolean {
  return socket.writableLength > 0 && responseOn(socket)?.writableEnded === true;
}

function openConnections({ server }: FastifyInstance): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}
