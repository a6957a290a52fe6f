import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerOn } from '../answers/answer-on.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly connections: Connections;
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** The account of the request, once it is admitted. */
    tenant?: number;
  }
}

export interface Connections {
  readonly open: number;
  /** The number of connections closed to make room for others. */
  readonly evicted: number;
}

/** Less than the limit of open files, 4,096 on most machines. */
const CONNECTIONS_MAX = 3000;
/** The tenant of all requests that are not admitted yet. */
const UNKNOWN_TENANT = 0;

/**
 * Bounds the connections of a server. At the limit, a new connection evicts the oldest one that never sent a request,
 * else the oldest idle one, else the oldest of the tenant with the most busy connections. So a caller with many idle or
 * slow connections cannot lock others out.
 */
export function boundConnections(server: Server, most = CONNECTIONS_MAX): Connections {
  const connections = new Set<Socket>();
  /** Those that had sent no request when they were looked at last. */
  const silent = new Set<Socket>();
  let evicted = 0;
  const remove = (socket: Socket): void => {
    connections.delete(socket);
    silent.delete(socket);
  };
  const makeRoomFor = (newest: Socket): void => {
    const oldest = firstSilent(silent) ?? firstIdle(connections) ?? firstOfBusiest(connections) ?? newest;
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
  return {
    get open() {
      return connections.size;
    },
    get evicted() {
      return evicted;
    },
  };
}

/** The oldest connection that never sent a request. Forgets those before it, which have got an answer or wait for one. */
function firstSilent(silent: Set<Socket>): Socket | undefined {
  for (const socket of silent) {
    if (socket.bytesWritten === 0 && answerOn(socket) === null) return socket;
    silent.delete(socket);
  }
  return undefined;
}

function firstIdle(connections: ReadonlySet<Socket>): Socket | undefined {
  for (const socket of connections) if (answerOn(socket) === null) return socket;
  return undefined;
}

/** The oldest connection of the tenant with the most; undefined if no tenant has two. */
function firstOfBusiest(connections: ReadonlySet<Socket>): Socket | undefined {
  const byTenant = new Map<number, { readonly first: Socket; count: number }>();
  for (const socket of connections) {
    const tenant = answerOn(socket)?.req.tenant ?? UNKNOWN_TENANT;
    const own = byTenant.get(tenant);
    if (own === undefined) byTenant.set(tenant, { first: socket, count: 1 });
    else own.count++;
  }
  let [first, most]: [Socket | undefined, number] = [undefined, 1];
  for (const own of byTenant.values()) if (own.count > most) [first, most] = [own.first, own.count];
  return first;
}
