import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends these lines unchanged, and reads until the server closes the connection. */
export async function rawRequest(url: string, lines: readonly string[], body = ''): Promise<RawResponse> {
  return rawBytes(url, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends these bytes unchanged, and closes the connection if the server is silent for too long. */
export async function rawBytes(url: string, bytes: string | Buffer, timeoutMs = 5000): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setTimeout(timeoutMs, () => socket.end());
  socket.write(bytes);
  const received = await text(socket);
  const [head = '', response = ''] = received.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: response };
}
