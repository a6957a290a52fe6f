import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a socket for raw requests that stays half-open until the test closes it. */
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
