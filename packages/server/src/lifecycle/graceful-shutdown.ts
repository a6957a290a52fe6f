import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { answerOn } from '../answers/answer-on.ts';

/** Time for open connections to receive `connection: close`, and for readiness checks to fail. */
const LINGER_MS = 300;
/** After this time and this many turns of the event loop without a new connection, the kernel's accept queue is empty. */
const QUIET_MS = 10;
const QUIET_TURNS = 50;
/** The longest wait for the accept queue to be empty. */
const ACCEPT_MS = 200;
/** Time for the last accepted connections to send their request. */
const SETTLE_MS = 200;
const ROUND_MS = 100;
/** Requests that take longer are cut off: the supervisor waits no longer either. */
const GRACE_MS = 6000;

export interface GracefulShutdown {
  readonly begun: boolean;
  /** Stops listening, answers the accepted requests, and closes every connection. */
  begin(): Promise<void>;
}

export function gracefulShutdown(app: FastifyInstance): GracefulShutdown {
  const connections = openConnections(app);
  let ending: Promise<void> | null = null;
  let heldBack: (() => void)[] | null = null;
  app.addHook('onRequest', (_request, reply, done) => {
    if (ending !== null) reply.raw.setHeader('connection', 'close');
    if (heldBack === null) done();
    else heldBack.push(done);
  });
  const holdUntil = async (done: Promise<void>): Promise<void> => {
    const waiting: (() => void)[] = [];
    heldBack = waiting;
    await done;
    heldBack = null;
    for (const goOn of waiting) goOn();
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
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  for (const socket of connections) announceEnd(socket);
  const closed = once(server, 'close');
  await sleep(LINGER_MS);
  await holdUntil(stopListening(server));
  await sleep(SETTLE_MS);
  const rounds = setInterval(() => {
    // Node takes a connection for idle as soon as its answer is written, and would cut off what a slow caller has yet to read.
    if (![...connections].some(isAnswerUnsent)) server.closeIdleConnections();
  }, ROUND_MS);
  await closed;
  clearInterval(rounds);
  clearTimeout(cut);
  await app.close();
}

/**
 * Stops listening once the accept queue is empty: the kernel resets connections that are left in it. Answers are held
 * back meanwhile, since an answered caller might connect again. `http.Server.close` would also close connections on
 * which a request may be on its way.
 */
async function stopListening(server: Server): Promise<void> {
  const latest = performance.now() + ACCEPT_MS;
  let lastAt = performance.now();
  let turns = 0;
  const note = (): void => {
    lastAt = performance.now();
    turns = 0;
  };
  const isQuiet = (now: number): boolean => turns >= QUIET_TURNS && now >= lastAt + QUIET_MS;
  server.on('connection', note);
  for (let now = lastAt; now < latest && !isQuiet(now); now = performance.now()) {
    await nextTurn();
    turns++;
  }
  Server.prototype.close.call(server);
  server.off('connection', note);
}

function announceEnd(socket: Socket): void {
  const answer = answerOn(socket);
  if (answer?.headersSent === false) answer.setHeader('connection', 'close');
}

function isAnswerUnsent(socket: Socket): boolean {
  return socket.writableLength > 0 && answerOn(socket)?.writableEnded === true;
}

function openConnections({ server }: FastifyInstance): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}
