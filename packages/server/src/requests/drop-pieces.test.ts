import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { dropPieces } from './drop-pieces.ts';

const PIECES = 500;
const REQUEST = `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n\n\r\n'.repeat(PIECES)}0\r\n\r\n`;

/** Receives a body of many pieces on a new connection, and counts those that arrive. */
async function piecesOf(
  port: number,
  server: NodeJS.EventEmitter,
  onPiece: (request: IncomingMessage) => void,
) {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  let pieces = 0;
  server.once('request', (request: IncomingMessage) => {
    request.on('data', () => {
      pieces++;
      onPiece(request);
    });
    request.on('end', () => resolve(request));
  });
  const sender = connect(port, '127.0.0.1').on('error', () => undefined);
  sender.write(REQUEST);
  const { socket } = await promise;
  sender.destroy();
  await once(socket, 'close');
  return pieces;
}

test('no further piece of a body arrives, and the next connection gets all of its body', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await piecesOf(port, server, dropPieces)).toBe(1);
  expect(await piecesOf(port, server, () => undefined)).toBe(PIECES);
});
