import type { Socket } from 'node:net';

/** What Node's sockets read with. */
interface Handle {
  readStop(): void;
  readStart(): void;
}

/**
 * Stops Node from reading a connection, within the 2 MiB that it would read at once. Returns a function that lets it go on.
 * `socket.pause()` does not hold, since each piece that a request takes resumes its socket.
 */
export function stopReading(socket: Socket): () => void {
  const handle = (): Handle | null | undefined =>
    (socket as Socket & { readonly _handle?: Handle | null })._handle;
  handle()?.readStop();
  return () => handle()?.readStart();
}
