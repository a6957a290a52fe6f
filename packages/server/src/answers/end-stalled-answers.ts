import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long an answer may lie there without anybody reading of it. Node looks twice, so that it may last twice as long. */
const STALLED_MS = 30_000;

/**
 * Ends connections on which an answer makes no progress. What the time-outs of Node itself are for stays with them: a
 * request that does not arrive, and a connection that waits for its next request. And an answer may take its time.
 */
export function endStalledAnswers(server: Server): void {
  server.setTimeout(STALLED_MS, (socket: Socket) => {
    const awaitsRequest = socket.timeout !== server.timeout;
    if (socket.writableLength > 0 || awaitsRequest) socket.destroy();
  });
}
