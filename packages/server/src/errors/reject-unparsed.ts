import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { JSON_UTF8 } from '../responses/send-json.ts';
import { responseOn } from '../responses/response-on.ts';
import { invalidRequest, type Problem } from './http-problem.ts';

/** An `import` would also load Node's client for `fetch` and WebSocket, which takes several MB per process. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

type Rejection = readonly [status: number, code: Problem['code'], detail: string];

const BY_CODE: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The URL and headers of the request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'payload_too_large',
    'The chunk extensions of the request are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'timeout', 'The request did not arrive in time.'],
};
const MALFORMED: Rejection = [400, 'parse_error', 'The request is not well-formed HTTP.'];
/** How long the caller may take to read the response and to close the connection. */
const CLOSING_MS = 1000;

/** Responds directly on the socket to bytes that Node could not parse as a request, and closes it. */
export function rejectUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  const [status, code, detail] = BY_CODE[error.code ?? ''] ?? MALFORMED;
  sendProblemAndClose(socket, invalidRequest(status, code, detail).problem);
}

function sendProblemAndClose(
  socket: Duplex,
  { status, type, code, detail, attr, headers = {} }: Problem,
): void {
  if (socket.writableEnded && !socket.destroyed) return;
  const isResponding = responseOn(socket)?.headersSent === true;
  if (!socket.writable || isResponding) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ type, code, detail, attr });
  const head = Object.entries({
    ...headers,
    'content-type': JSON_UTF8,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': randomUUID(),
    connection: 'close',
  });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  sendAndClose(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n${body}`);
}

/** Sends the response and closes the connection, even if the caller does not close its side. */
function sendAndClose(socket: Duplex, response: string): void {
  const timer = setTimeout(() => socket.destroy(), CLOSING_MS);
  socket.once('close', () => clearTimeout(timer)).end(response);
}
