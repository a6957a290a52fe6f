import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { responseOn } from '../responses/response-on.ts';

/** Time for open connections to receive `connection: close`, and for readiness checks to fail. */
const LINGER_MS = 300;
/** The kernel's accept queue counts as empty after this time and this many turns of the event loop without a new connection. */
const QUIET_MS = 10;
const QUIET_TURNS = 50;
/** The longest wait for an empty accept queue. */
const ACCEPT_MS = 200;
/** Time for the last accepted connections to send their request. */
const SETTLE_MS = 200;
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
  let heldRequests: (() => void)[] | null = null;
  app.addHook('onRequest', (_request, reply, done) => {
    if (ending !== null) reply.raw.setHeader('connection', 'close');
    if (heldRequests === null) done();
    else heldRequests.push(done);
  });
  const holdUntil = async (done: Promise<void>): Promise<void> => {
    const held: (() => void)[] = [];
    heldRequests = held;
    await done;
    heldRequests = null;
    for (const release of held) release();
  };
  return {
    get begun() {
      return ending !== null;
    },
    begin: () => (ending ??= end(app, connections, holdUntil)),
  };
}

async function end(
  app: FastifyInstance,
  connections: ReadonlySet<Socket>,
  holdUntil: (done: Promise<void>) => Promise<void>,
): Promise<void> {
  const { server } = app;
  const cutOff = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  for (const socket of connections) closeAfterResponse(socket);
  const closed = once(server, 'close');
  await sleep(LINGER_MS);
  await holdUntil(stopListening(server));
  await sleep(SETTLE_MS);
  const rounds = setInterval(() => {
    // Node considers a connection idle once its response is written, even if a slow caller has not read all of it.
    if (![...connections].some(hasUnsentResponse)) server.closeIdleConnections();
  }, ROUND_MS);
  await closed;
  clearInterval(rounds);
  clearTimeout(cutOff);
  await app.close();
}

/**
 * Stops listening once the accept queue is empty, because the kernel resets connections that are left in it. Requests are held until
 * then, since a caller might connect again after its response. `http.Server.close` is not used: it would also close idle connections
 * on which a request may be arriving.
 */
async function stopListening(server: Server): Promise<void> {
  const latest = performance.now() + ACCEPT_MS;
  let lastAt = performance.now();
  let turns = 0;
  const restart = (): void => {
    lastAt = performance.now();
    turns = 0;
  };
  const isQuiet = (now: number): boolean => turns >= QUIET_TURNS && now >= lastAt + QUIET_MS;
  server.on('connection', restart);
  for (let now = lastAt; now < latest && !isQuiet(now); now = performance.now()) {
    await nextTurn();
    turns++;
  }
  Server.prototype.close.call(server);
  server.off('connection', restart);
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
