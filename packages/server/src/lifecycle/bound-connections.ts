import type { Server } from 'node:http';

const MAKE_ROOM_MS = 100;

/**
 * Bounds the connections of a server. At the limit a new one is closed at once, and so are those on which no request is
 * under way, to make room for the next one.
 */
export function boundConnections(server: Server, most: number): void {
  let madeRoomAt = -Infinity;
  server.maxConnections = most;
  server.on('drop', () => {
    // Looks at every connection, so a flood must not cause it each time.
    if (performance.now() < madeRoomAt + MAKE_ROOM_MS) return;
    madeRoomAt = performance.now();
    server.closeIdleConnections();
  });
}
