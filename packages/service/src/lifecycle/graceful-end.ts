import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { answerOn } from '../answers/answer-on.ts';

/** For callers on an open connection: the next answer tells them that it ends. And for those who ask for readiness. */
const LINGER_MS = 300;
/** Until then those who came last have sent their request. */
const SETTLE_MS = 200;
const ROUND_MS = 100;
/** What runs by then is cut off: whoever started us waits no longer either. */
const GRACE_MS = 6000;

export interface GracefulEnd {
  readonly begun: boolean;
  /** Stops listening, answers what was accepted, and lets go of every connection. */
  begin(): Promise<void>;
}

export function gracefulEnd(app: FastifyInstance): GracefulEnd {
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
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  for (const socket of connections) announceEnd(socket);
  await sleep(LINGER_MS);
  const closed = once(server, 'close');
  stopListening(server);
  await sleep(SETTLE_MS);
  const rounds = setInterval(() => server.closeIdleConnections(), ROUND_MS);
  await closed;
  clearInterval(rounds);
  clearTimeout(cut);
  await app.close();
}

/** An HTTP server's own `close` ends connections too on which a request may be on its way. */
function stopListening(server: Server): void {
  Server.prototype.close.call(server);
}

function announceEnd(socket: Socket): void {
  const answer = answerOn(socket);
  if (answer?.headersSent === false) answer.setHeader('connection', 'close');
}

function openConnections({ server }: FastifyInstance): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}
