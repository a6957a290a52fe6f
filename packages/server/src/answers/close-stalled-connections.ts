import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long an answer may make no progress. Node checks once per interval, so it may last twice as long. */
const STALLED_MS = 30_000;

/**
 * Closes connections on which the caller reads nothing of an answer. Node's own time-outs cover requests that do not
 * arrive, and idle connections. A handler may take as long as it needs.
 */
export function closeStalledConnections(server: Server): void {
  server.setTimeout(STALLED_MS, (socket: Socket) => {
    const awaitsRequest = socket.timeout !== server.timeout;
    if (socket.writableLength > 0 || awaitsRequest) socket.destroy();
  });
}
