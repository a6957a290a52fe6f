import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections on which the caller reads nothing of an answer. Node's own time-outs cover requests that do not
 * arrive, and idle connections. A handler may take as long as it needs.
 */
export function closeStalledConnections(server: Server, stalledMs: number): void {
  server.setTimeout(stalledMs, (socket: Socket) => {
    const awaitsRequest = socket.timeout !== server.timeout;
    if (socket.writableLength > 0 || awaitsRequest) socket.destroy();
  });
}
