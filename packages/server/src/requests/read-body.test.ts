import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { testServer } from '../testing/test-server.ts';
import { readBody } from './read-body.ts';

const MAX = 1_000_000;
const chunk = (piece: string): string => `${piece.length.toString(16)}\r\n${piece}\r\n`;

/** Opens a server that responds with the length of the body. */
async function startServer({ room = Infinity } = {}) {
  const app = testServer({ bodyLimit: MAX });
  let reserved = 0;
  const take = (bytes: number): void => {
    reserved += bytes;
    if (reserved > room) throw new TypeError('No room.');
  };
  const errors: unknown[] = [];
  const handler = async (request: FastifyRequest): Promise<string> => {
    const pieces = await readBody(request, { maxBytes: MAX, take }).catch((error: unknown) => {
      errors.push(error);
      throw error;
    });
    return `${pieces.reduce((sum, { length }) => sum + length, 0)} in ${pieces.length}`;
  };
  app.route({ method: 'POST', url: '/', handler });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { app, open, reserved: () => reserved, errors };
}

const head = (...headers: readonly string[]): string =>
  `${['POST / HTTP/1.1', 'Host: x', 'Content-Type: x/y', ...headers].join('\r\n')}\r\n\r\n`;
const chunked = (...headers: readonly string[]): string => head('Transfer-Encoding: chunked', ...headers);
const NEXT = head('Connection: close');

test.for([
  ['with its length', head(`Content-Length: ${MAX + 1}`), 'x'.repeat(MAX + 1)],
  ['without its length', chunked(), `${chunk('x'.repeat(MAX + 1))}0\r\n\r\n`],
] as const)(
  'a body that is too large, sent %s, is rejected, and its connection remains usable',
  async ([, top, body]) => {
    const { open } = await startServer();
    const socket = await open();
    socket.write(top);
    if (top.includes('Length')) await once(socket, 'readable');
    socket.write(body + NEXT);
    expect((await text(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  },
);

test('a body is rejected while it arrives if there is no memory for it', async () => {
  const { open, errors } = await startServer({ room: 1_000 });
  const socket = await open();
  socket.write(head('Content-Length: 5000') + 'x'.repeat(2_000));
  await once(socket, 'readable');
  socket.write('x'.repeat(3_000) + NEXT);
  expect((await text(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200']);
  expect(errors).toHaveLength(1);
});

test('a body that is cut short is rejected as incomplete', async () => {
  const { app, open, errors } = await startServer();
  const socket = await open();
  const received = once(app.server, 'request');
  socket.write(`${head('Content-Length: 10')}{`);
  await received;
  socket.destroy();
  await expect.poll(() => errors).toMatchObject([{ problem: { status: 400, code: 'parse_error' } }]);
});
