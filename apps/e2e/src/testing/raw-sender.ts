import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A sender that writes the very bytes it wants, and never ends its side by itself. */
export async function rawSender(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket.resume();
}

/** The head of a push, with further headers such as its length. */
export function pushHead(token: string, ...headers: readonly string[]): string {
  return `${[
    'POST /ingest HTTP/1.1',
    'Host: worker',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/x-ndjson',
    ...headers,
  ].join('\r\n')}\r\n\r\n`;
}
