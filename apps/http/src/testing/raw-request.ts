import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends the very lines, whatever they are, and reads until the other side ends the connection. */
export async function rawRequest(url: string, lines: readonly string[], body = ''): Promise<RawAnswer> {
  return rawBytes(url, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends the very bytes; a connection on which the other side says nothing more is ended from here. */
export async function rawBytes(url: string, bytes: string | Buffer, patienceMs = 5000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(patienceMs, () => socket.end());
  socket.write(bytes);
  const received = await text(socket);
  const [head = '', answer = ''] = received.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: answer };
}
