import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerOn } from '../answers/answer-on.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly connections: Connections;
  }
}

export interface Connections {
  readonly open: number;
  /** How many were closed to make room for others. */
  readonly evicted: number;
}

/** Below the number of files that a process may open, 4,096 on most machines. */
const CONNECTIONS_MAX = 3000;

/**
 * Bounds the connections of a server. Where one more is too many, the oldest that never brought a request makes room
 * for it, else the oldest that waits for a request. Whoever opens connections and leaves them idle keeps nobody out.
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
    const [oldest = firstIdle(connections) ?? newest] = silent;
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
