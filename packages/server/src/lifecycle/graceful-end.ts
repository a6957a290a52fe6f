import { once } from 'node:events';
import { Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { answerOn } from '../answers/answer-on.ts';

/** For callers on an open connection: the next answer tells them that it ends. And for those who ask for readiness. */
const LINGER_MS = 300;
/** Nobody came for so long, and in so many looks: nobody is left in the kernel's queue. */
const QUIET_MS = 10;
const QUIET_LOOKS = 50;
/** How long those who keep coming hold up the end. */
const LAST_COMERS_MS = 200;
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
  let held: (() => void)[] | null = null;
  app.addHook('onRequest', (_request, reply, done) => {
    if (ending !== null) reply.raw.setHeader('connection', 'close');
    if (held === null) done();
    else held.push(done);
  });
  const holdUntil = async (done: Promise<void>): Promise<void> => {
    const waiting: (() => void)[] = [];
    held = waiting;
    await done;
    held = null;
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
  await sleep(LINGER_MS);
  const closed = once(server, 'close');
  await holdUntil(stopListening(server));
  await sleep(SETTLE_MS);
  const rounds = setInterval(() => server.closeIdleConnections(), ROUND_MS);
  await closed;
  clearInterval(rounds);
  clearTimeout(cut);
  await app.close();
}

/**
 * The kernel resets the connections that it has accepted and we have not taken over by then: they are taken over
 * first, and nobody is answered meanwhile, who might come again. An HTTP server's own `close` ends connections too on
 * which a request may be on its way.
 */
async function stopListening(server: Server): Promise<void> {
  const latest = performance.now() + LAST_COMERS_MS;
  let cameAt = performance.now();
  let looks = 0;
  const note = (): void => {
    cameAt = performance.now();
    looks = 0;
  };
  const isQuiet = (now: number): boolean => looks >= QUIET_LOOKS && now >= cameAt + QUIET_MS;
  server.on('connection', note);
  for (let now = cameAt; now < latest && !isQuiet(now); now = performance.now()) {
    await nextTurn();
    looks++;
  }
  Server.prototype.close.call(server);
  server.off('connection', note);
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
