import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerOn } from '../answers/answer-on.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly connections: Connections;
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Whose request it is (`holderOf`), from when it has been let in. */
    holder?: number;
  }
}

export interface Connections {
  readonly open: number;
  /** How many were closed to make room for others. */
  readonly evicted: number;
}

/** Below the number of files that a process may open, 4,096 on most machines. */
const CONNECTIONS_MAX = 3000;
/** Holds the requests of which nobody knows yet whose they are. */
const NOBODY = 0;

/**
 * Bounds the connections of a server. Where one more is too many, the oldest that never brought a request makes room
 * for it, else the oldest that waits for a request, else the oldest of the holder that keeps most connections busy.
 * Whoever opens connections and leaves them idle, or sends or reads slowly on them, keeps nobody out.
 */
export function boundConnections(server: Server, most = CONNECTIONS_MAX): Connections {
  const connections = new Set<Socket>();
  const silent = new Set<Socket>();
  let evicted = 0;
  const remove = (socket: Socket): void => {
    connections.delete(socket);
    silent.delete(socket);
  };
  const makeRoomFor = (newest: Socket): void => {
    const [oldest = firstIdle(connections) ?? firstOfGreediest(connections) ?? newest] = silent;
    evicted++;
    remove(oldest);
    oldest.destroy();
  };
  server.on('connection', (socket: Socket) => {
    if (connections.size >= most) makeRoomFor(socket);
    if (socket.destroyed) return;
    connections.add(socket);
    silent.add(socket);
    socket.once('close', () => remove(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => void silent.delete(socket));
  return {
    get open() {
      return connections.size;
    },
    get evicted() {
      return evicted;
    },
  };
}

function firstIdle(connections: ReadonlySet<Socket>): Socket | undefined {
  for (const socket of connections) if (answerOn(socket) === null) return socket;
  return undefined;
}

/** None where each holder has just one. */
function firstOfGreediest(connections: ReadonlySet<Socket>): Socket | undefined {
  const held = new Map<number, { readonly first: Socket; count: number }>();
  for (const socket of connections) {
    const holder = answerOn(socket)?.req.holder ?? NOBODY;
    const own = held.get(holder);
    if (own === undefined) held.set(holder, { first: socket, count: 1 });
    else own.count++;
  }
  let [first, most]: [Socket | undefined, number] = [undefined, 1];
  for (const own of held.values()) if (own.count > most) [first, most] = [own.first, own.count];
  return first;
}
